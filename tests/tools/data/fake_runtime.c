/* A stand-in for liblbhm.so, so that the command is tested without the runtime: it says which policies there are, and
 * at the end of a process it writes a run report whose numbers depend on the policy and the capacity alone.
 * FAKE_REPORT=none writes none, FAKE_REPORT=refuse says why it writes none, FAKE_REPORT=broken a malformed one,
 * FAKE_REPORT=blind one of a run without accesses, FAKE_REPORT=/... what is in that file. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char* lbhm_policies_json(void) {
  return "[{\"name\": \"slow-only\", \"sentence\": \"All in slow memory.\"},"
         " {\"name\": \"fast-only\", \"sentence\": \"All in fast memory.\"},"
         " {\"name\": \"first-touch\", \"sentence\": \"Who comes first.\"},"
         " {\"name\": \"merchandiser\", \"sentence\": \"Algorithm 1.\"},"
         " {\"name\": \"lbhm\", \"sentence\": \"Ours.\"}]";
}

const char* lbhm_settings_json(void) {
  return "[{\"name\": \"seed\", \"environment\": \"LBHM_SEED\", \"default\": \"1\", \"unit\": \"\","
         " \"sentence\": \"Of everything random.\"}]";
}

const char* lbhm_machine_complaint(const char* path) {
  return strstr(path, "wrong") ? "machine file wrong.json: tiers is missing" : "";
}

const char* lbhm_start_complaint(void) {
  const char* pace = getenv("LBHM_PACE");
  return pace && strcmp(pace, "maybe") == 0 ? "LBHM_PACE=maybe is not a number; correct it or unset it" : "";
}

void lbhm_emu_refill_v7(void) {} /* the version that instrumented programs must have */

static void copy_report(FILE* file, const char* from) {
  FILE* source = fopen(from, "r");
  for (int c; source && (c = fgetc(source)) != EOF;) fputc(c, file);
  if (source) fclose(source);
}

static void write_report(FILE* file, const char* policy, const char* capacity, int accesses) {
  char program[4096] = "";
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) program[0] = 0;
  double time = strcmp(policy, "slow-only") == 0 ? 4e6 : strcmp(policy, "fast-only") == 0 ? 1e6 : 2e6;
  fprintf(
      file,
      "{\"schema\": \"lbhm.report/1\", \"program\": \"%s\", \"program_file\": \"%s\", \"machine\": \"%s\", "
      "\"virtual_time\": true, \"policy\": "
      "\"%s\", "
      "\"correlation\": \"analytic\","
      " \"fast_capacity_bytes\": %s, \"footprint_bytes\": 1048576, \"makespan_ns\": %f, \"acv\": 0.25,"
      " \"migrated_bytes\": 8192, \"decision_ns\": 1500, \"fast_access_share\": 0.5, \"remarks\": [], \"plans\": [],"
      " \"regions\": [{\"region\": \"main:1\", \"instance\": 0, \"time_ns\": %f, \"tasks\": [{\"lane\": 0,"
      " \"time_ns\": %f, \"predicted_ns\": null, \"accesses\": %d, \"fast_accesses\": 0, \"fast_bytes\": 0}]}]}\n",
      program_invocation_name, program, getenv("LBHM_MACHINE"), policy, capacity ? capacity : "206158430208", time,
      time, time, accesses);
}

__attribute__((destructor)) static void finish(void) {
  const char* path = getenv("LBHM_REPORT");
  const char* fake = getenv("FAKE_REPORT");
  if (path && fake && strcmp(fake, "refuse") == 0) fprintf(stderr, "lbhm: optane.json: no tiers; name two\n");
  if (!path || (fake && (strcmp(fake, "none") == 0 || strcmp(fake, "refuse") == 0))) return;
  FILE* file = fopen(path, "w");
  if (!file) return;
  if (fake && strcmp(fake, "broken") == 0)
    fputs("{\"schema\": \"lbhm.report/1\", \"machine\": \"optane\"}", file);
  else if (fake && fake[0] == '/')
    copy_report(file, fake);
  else
    write_report(file, getenv("LBHM_POLICY"), getenv("LBHM_FAST_CAPACITY"), fake ? 0 : 1000);
  fclose(file);
}
