// Unpacks the browser of the package, and prints its path.
import chromium from "@sparticuz/chromium";
process.stdout.write(await chromium.executablePath());
