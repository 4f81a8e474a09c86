// Work.java's side of the library.
#include <jni.h>
#include <stdlib.h>

double work(int n);
double* squares(int n);

JNIEXPORT jdouble JNICALL Java_Work_work(JNIEnv* java, jclass of, jint n) { return (void)java, (void)of, work(n); }
JNIEXPORT jdouble JNICALL Java_Work_sumOfSquares(JNIEnv* java, jclass of, jint n) {
  double* const values = squares(n);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  free(values);
  return (void)java, (void)of, sum;
}
