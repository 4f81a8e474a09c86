// Module texts as the plugin writes them.
#pragma once

#include <string>

namespace lbhm {

inline std::string module_text(const std::string& id, const std::string& nests) {
  return R"({"schema":"lbhm.patterns.module/1","id":")" + id +
         R"(","source":"app.c","directory":"/home/u","source_hash":null,"nests":[)" + nests + "]}";
}

/// One nest: A streams twice, x is gathered from once, in a loop that begins once a call and goes round ten times.
inline const std::string spmv_nest =
    R"({"function":"spmv","name":"spmv","file":"app.c","line":3,"parallel":true,"loops":[],)"
    R"("bases":[{"number":0,"name":"A","through":"captured","frequency":1},)"
    R"({"number":1,"name":"x","through":"captured","frequency":1}],"accesses":[)"
    R"({"base":0,"line":4,"loop":0,"kind":"stream","stride":8,"element":8,"type":"double","write":false,"frequency":10},)"
    R"({"base":0,"line":5,"loop":0,"kind":"stream","stride":8,"element":8,"type":"double","write":true,"frequency":10},)"
    R"({"base":1,"line":5,"loop":0,"kind":"gather","stride":null,"element":8,"type":"double","write":false,)"
    R"("frequency":10}]})";

}  // namespace lbhm
