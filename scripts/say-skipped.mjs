// The end of `npm test`: what it leaves out, and how to run that.
console.log(`
Skipped: the tests in a real browser. Run them with \`npm run test:browser\`; they need Chromium (Debian:
\`apt-get install chromium\`), on the search path or named by CHROMIUM_PATH.`);
