/** How the pages for people look: what all share, and what the reports share. A page's own rules stand beside it. */

/** Colours, type and the card, in both colour schemes. `--tone` is the colour of a verdict, set by a class. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2733; --dim: #5a6776; --paper: #fbfbf9; --card: #ffffff; --line: #dfe3e6;
  --good: #1f7a45; --bad: #b3261e; --unsure: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ec; --dim: #a3adb8; --paper: #14181c; --card: #1c2228; --line: #333c45;
    --good: #6fcf97; --bad: #ff9a92; --unsure: #f0c36d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.5rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.4rem; margin: 0; }
.about { color: var(--dim); font-size: .875rem; font-weight: 400; }
`;

/** What the contract report, the conformance report and the replay add. */
export const REPORT_STYLE = `
.pass { --tone: var(--good); }
.fail, .error { --tone: var(--bad); }
.incomplete, .warning { --tone: var(--unsure); }
.note { --tone: var(--dim); }
header {
  display: flex; gap: 1.25rem; align-items: start; padding: 1rem 1.25rem;
  background: var(--card); border-left: .4rem solid var(--tone); border-radius: .5rem;
}
.sign { font-size: 2rem; line-height: 1.2; margin: 0; color: var(--tone); font-weight: 700; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
.reasons { margin: .25rem 0 0; padding-left: 1.1rem; }
.about { margin: .35rem 0 0; }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem; margin: 1rem 0 0; }
.totals div {
  display: flex; flex-direction: column; justify-content: space-between; padding: .5rem .75rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.totals dt { color: var(--dim); font-size: .8125rem; }
.totals dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.none dd { color: var(--dim); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-size: .8125rem; font-weight: 500; }
tbody th { font-weight: 400; }
tbody th b, .response { white-space: nowrap; }
.response {
  display: inline-block; padding: .1rem .5rem; margin: 0 .25rem .25rem 0;
  border: 1px solid var(--line); border-radius: .375rem; font-variant-numeric: tabular-nums;
}
.response small { color: var(--dim); margin-left: .4rem; }
.seen { border-color: var(--good); }
.unseen { border-style: dashed; color: var(--dim); }
.never { color: var(--dim); padding-left: 1.1rem; }
.never b { color: var(--ink); }
article {
  padding: .75rem 1rem; margin: .5rem 0; break-inside: avoid;
  background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--tone); border-radius: .375rem;
}
article p { margin: .25rem 0 0; }
.fix { font-weight: 600; }
code { font: .875em/1.4 ui-monospace, monospace; }
@media print {
  body { max-width: none; padding: 0; }
  header, article, .totals div { background: none; }
}
`;
