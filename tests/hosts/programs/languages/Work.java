// A Java program that calls a library with OpenMP by JNI, from several threads, while garbage is collected.
public class Work {
  static native double work(int n);

  static native double sumOfSquares(int n);

  public static void main(String[] words) throws Exception {
    System.load(words[0]);
    Thread[] threads = new Thread[4];
    double[] sums = new double[threads.length];
    for (int i = 0; i < threads.length; i++) {
      final int number = i;
      threads[i] =
          new Thread(
              () -> {
                for (int k = 0; k < 20; k++) sums[number] += work(1000) + sumOfSquares(50000);
              });
      threads[i].start();
    }
    byte[][] garbage = new byte[64][];
    for (int i = 0; i < 2000; i++) garbage[i % garbage.length] = new byte[100_000];
    System.gc();
    for (Thread thread : threads) thread.join();
    for (double sum : sums) System.out.println(sum);
  }
}
