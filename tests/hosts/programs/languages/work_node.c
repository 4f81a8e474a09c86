// A module of Node with OpenMP inside: work(n), here and on Node's own threads (workers load it, too).
#include <node_api.h>
#include <stdlib.h>

double work(int n);
double* squares(int n);

static napi_value call(napi_env node, napi_callback_info info) {
  size_t count = 1;
  napi_value word, result;
  int n = 0;
  napi_get_cb_info(node, info, &count, &word, NULL, NULL);
  napi_get_value_int32(node, word, &n);
  free(squares(n));
  napi_create_double(node, work(n), &result);
  return result;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "work", NAPI_AUTO_LENGTH, call, NULL, &function);
  napi_set_named_property(env, exports, "work", function);
  return exports;
}
