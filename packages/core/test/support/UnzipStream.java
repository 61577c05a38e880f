import java.io.FileInputStream;
import java.util.zip.ZipInputStream;

/** Writes the bytes of all files of a ZIP file, which it reads as a stream. */
class UnzipStream {
  public static void main(String[] arguments) throws Exception {
    try (var zip = new ZipInputStream(new FileInputStream(arguments[0]))) {
      while (zip.getNextEntry() != null) zip.transferTo(System.out);
    }
    System.out.flush();
  }
}
