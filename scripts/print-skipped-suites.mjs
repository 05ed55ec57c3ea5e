// The end of `npm test`: lists the skipped suites, and how to run them.
console.log(`
Skipped: \`npm run test:slow\`, copies of the project, the lines of the documentation and most commands; \`test:hostile\`,
\`test:faults\`, \`test:crash\`, \`test:servers\`, \`test:package\` and \`test:image\`. \`.ci/run all\` runs them all.
Skipped: the tests in real browsers. Run them with \`npm run test:browser\`; they need Chromium and Firefox (Debian:
\`apt-get install chromium firefox-esr\`), on the search path or named by CHROMIUM_PATH and FIREFOX_PATH.`);
