// SPDX-License-Identifier: MIT
// The start and the end of every report's page: its style, and a script that highlights the same node in all pictures
// and can show one graph alone. Text only.
// Invariant: nothing is loaded: the page's content policy makes browsers refuse it. The page is also readable without
// scripts. Called by print/report/html_report.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

inline constexpr std::string_view report_head = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<style>
:root { --ink: #1c2430; --soft: #5a6675; --line: #d6dce4; --paper: #ffffff; --wash: #f5f7fa; }
body { margin: 0 auto; padding: 24px 32px 48px; max-width: 1336px; background: var(--paper); color: var(--ink);
    font: 14px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 24px; margin: 0 0 2px; } h2 { font-size: 17px; margin: 32px 0 8px; }
h3 { font-size: 14px; margin: 0 0 6px; } h3 small { font-size: 12px; font-weight: 400; color: var(--soft); }
p { margin: 4px 0 10px; color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(7, 1fr); gap: 10px; margin: 16px 0 8px; }
.cards div { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; background: var(--wash); }
.cards b { display: block; font-size: 18px; } .cards span { color: var(--soft); font-size: 12px; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: 3px 14px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } .columns { columns: 2; column-gap: 40px; } .columns table { width: 100%; }
tr { break-inside: avoid; }
svg { display: block; }
svg text, code { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); }
svg .name, svg .detail { text-anchor: middle; pointer-events: none; } svg .name { font-weight: 600; }
svg .detail { fill: #44505e; }
svg .axis { text-anchor: middle; fill: var(--soft); } svg .address, svg .level { text-anchor: end; fill: var(--soft); }
svg .lane-name { font-weight: 600; }
.grid { stroke: #e6eaf0; fill: none; } .lane { fill: var(--wash); stroke: var(--line); }
.node, .task { stroke: #55606e; stroke-width: .7; } .slow { stroke: #b3261e; stroke-width: 1.8; }
.task.thin { stroke-width: .2; } .node.aside { stroke: #b23a7a; stroke-width: 2; }
.node.prepared { stroke-dasharray: 4 3; }
.product { fill: #ffd9a8; } .pointwise { fill: #cfe3fb; } .reduce { fill: #d9d2f3; } .move { fill: #e3e7ec; }
.in { fill: #cdeccf; } .out { fill: #f6cfd2; } .sync { fill: #fbf3b9; }
.arrow { fill: none; stroke: #8592a3; stroke-width: 1.1; } .tip { marker-end: url(#tip); }
.event { fill: none; stroke: #b23a7a; stroke-width: 1.6; marker-end: url(#head); } #head path { fill: #b23a7a; }
#tip path { fill: #8592a3; }
.block { stroke: #3f4a58; stroke-width: .6; } .workspace { stroke-dasharray: 3 2; }
.peak { stroke: #b3261e; stroke-width: 1.4; } .least { stroke: #b3261e; stroke-dasharray: 5 4; }
.c0 { fill: #bfdcf7; } .c1 { fill: #ffd7a6; } .c2 { fill: #c9e9c5; } .c3 { fill: #f5c6cf; } .c4 { fill: #d9cdf2; }
.c5 { fill: #fbefa9; } .c6 { fill: #bfe8e4; } .c7 { fill: #e0d3c5; }
.lit > rect { stroke: #d40f5f; stroke-width: 2.5; } tr.lit td { background: #fde7f0; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 6px 0; color: var(--soft); font-size: 12px; }
.legend i { display: inline-block; width: 14px; height: 11px; border: 1px solid #55606e; margin-right: 5px;
    background: var(--wash); }
.legend .product { background: #ffd9a8; } .legend .pointwise { background: #cfe3fb; }
.legend .reduce { background: #d9d2f3; } .legend .move { background: #e3e7ec; }
.legend .prepared { border-style: dashed; } .legend .slow { border: 2px solid #b3261e; }
.legend .in { background: #cdeccf; } .legend .out { background: #f6cfd2; }
.graphs { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 14px; }
.graphs.one { grid-template-columns: minmax(0, 1fr); } .graphs.one > section:not(.chosen) { display: none; }
.graphs section { border: 1px solid var(--line); border-radius: 8px; padding: 10px; }
.scroll { overflow: auto; max-height: 1000px; } .scroll svg { margin: 0 auto; }
.choice { display: inline-flex; gap: 6px; margin-bottom: 8px; }
button { font: inherit; padding: 3px 10px; border: 1px solid var(--line); border-radius: 6px;
    background: var(--paper); color: var(--ink); cursor: pointer; }
button.on { background: var(--ink); color: var(--paper); }
</style>
)html";

inline constexpr std::string_view report_end = R"html(<script>
"use strict";
// The same node in the pictures of the device and in the list of tasks.
const places = [...document.querySelectorAll(".device [data-on]")];
for (const place of places) {
    place.addEventListener("mouseenter", () =>
        places.forEach(p => p.classList.toggle("lit", p.dataset.on === place.dataset.on)));
    place.addEventListener("mouseleave", () => places.forEach(p => p.classList.remove("lit")));
}
// Graphs side by side, or one alone.
const graphs = document.querySelector(".graphs"), buttons = [...document.querySelectorAll(".choice button")];
for (const button of buttons)
    button.addEventListener("click", () => {
        graphs.classList.toggle("one", button.dataset.show !== "all");
        for (const section of graphs.children)
            section.classList.toggle("chosen", section.dataset.shows === button.dataset.show);
        for (const b of buttons) b.classList.toggle("on", b === button);
    });
// A graph that is wider than its frame is drawn smaller, as far as it stays readable; where that is not enough, one
// graph is shown at first.
const smallest = 0.65, pictures = [...document.querySelectorAll("svg.graph")];
if (pictures.some(svg => svg.parentElement.clientWidth < smallest * svg.viewBox.baseVal.width))
    buttons[buttons.length - 1].click();
for (const svg of pictures) {
    const fit = () => {
        const scale = Math.min(1, Math.max(smallest, (svg.parentElement.clientWidth - 2) / svg.viewBox.baseVal.width));
        svg.setAttribute("width", svg.viewBox.baseVal.width * scale);
        svg.setAttribute("height", svg.viewBox.baseVal.height * scale);
    };
    fit();
    new ResizeObserver(fit).observe(svg.parentElement);
}
document.documentElement.dataset.ready = "yes";
</script>
</body></html>
)html";

} // namespace ahead::detail
