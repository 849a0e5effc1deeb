// Unpacks the browser that came inside its package, and says where it is.
import chromium from "@sparticuz/chromium";
process.stdout.write(await chromium.executablePath());
