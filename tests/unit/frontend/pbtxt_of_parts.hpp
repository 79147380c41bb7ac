// A graph and its text as a GraphDef, character by character: shared by the tests of pbtxt.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

// A pair of results, one of them read; a view; a keyword; None.
inline constexpr std::string_view parts = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 2]"):
        # File: a.py:3, code: x["a"] + 'b\n'
        split = torch.ops.aten.split.Tensor(x, 1, 1);  x = None
        getitem_1: "f32[2, 1]" = split[1];  split = None
        mul: "f32[2, 1]" = torch.ops.aten.add.Tensor(getitem_1, 0.1, alpha = 2);  getitem_1 = None
        return (mul, None)
)fx";
inline constexpr std::string_view pbtxt_of_parts = R"pb(node {
  name: "x"
  op: "Placeholder"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 2]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 2
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 2
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
}
node {
  name: "split"
  op: "aten.split.Tensor"
  input: "x"
  attr {
    key: "_line"
    value {
      i: 4
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_output_strides"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_offsets"
    value {
      list {
        i: 0
        i: 1
      }
    }
  }
  attr {
    key: "_output_storages"
    value {
      list {
        s: "x"
        s: "x"
      }
    }
  }
  attr {
    key: "self"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "split_size"
    value {
      i: 1
    }
  }
  attr {
    key: "dim"
    value {
      i: 1
    }
  }
}
node {
  name: "getitem_1"
  op: "operator.getitem"
  input: "split:1"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 1]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 5
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_output_strides"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_offsets"
    value {
      list {
        i: 1
      }
    }
  }
  attr {
    key: "_output_storages"
    value {
      list {
        s: "x"
      }
    }
  }
  attr {
    key: "results"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "index"
    value {
      i: 1
    }
  }
}
node {
  name: "mul"
  op: "aten.add.Tensor"
  input: "getitem_1"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 1]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 6
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_keywords"
    value {
      list {
        s: "alpha"
      }
    }
  }
  attr {
    key: "self"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "other"
    value {
      f: 0.1
    }
  }
  attr {
    key: "alpha"
    value {
      i: 2
    }
  }
}
node {
  name: "output"
  op: "NetOutput"
  input: "mul"
  attr {
    key: "_line"
    value {
      i: 7
    }
  }
  attr {
    key: "arg0"
    value {
      func {
        name: "tuple"
        attr {
          key: "0"
          value {
            placeholder: "0"
          }
        }
        attr {
          key: "1"
          value {
            func {
              name: "None"
            }
          }
        }
      }
    }
  }
}
versions {
  producer: 27
}
)pb";

} // namespace test
