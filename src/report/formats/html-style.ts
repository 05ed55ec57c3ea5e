/** How the page looks, in both colour schemes. `--tone` is the colour of a verdict, level or status, set by a class. */
export const STYLE = `
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
h1::first-letter { text-transform: uppercase; }
.about { color: var(--dim); font-size: .875rem; font-weight: 400; margin: .35rem 0 0; }
.good { --tone: var(--good); }
.bad { --tone: var(--bad); }
.unsure { --tone: var(--unsure); }
.dim { --tone: var(--dim); }
header {
  display: flex; gap: 1.25rem; align-items: start; padding: 1rem 1.25rem;
  background: var(--card); border-left: .4rem solid var(--tone); border-radius: .5rem;
}
.sign { font-size: 2rem; line-height: 1.2; margin: 0; color: var(--tone); font-weight: 700; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
h3 code { color: var(--dim); font-weight: 400; }
ul { margin: .25rem 0 0; padding-left: 1.1rem; }
li b, .legend b { color: var(--tone); }
.figure {
  display: inline-block; padding: .1rem .5rem; margin: .25rem .25rem 0 0;
  border: 1px solid var(--line); border-radius: .375rem; font-variant-numeric: tabular-nums;
}
article {
  padding: .75rem 1rem; margin: .5rem 0; break-inside: avoid;
  background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--tone); border-radius: .375rem;
}
article p { margin: .25rem 0 0; }
.fix { font-weight: 600; }
summary { color: var(--dim); }
code { font: .875em/1.4 ui-monospace, monospace; }
.time-line { width: 100%; border-collapse: collapse; font-size: .8125rem; margin: .5rem 0; }
.time-line td { padding: .1rem .5rem .1rem 0; white-space: nowrap; color: var(--dim); }
.time-line td:nth-child(2) { width: 100%; }
.bar { display: block; min-width: 3px; height: .75rem; background: var(--tone); }
@media print {
  body { max-width: none; padding: 0; }
  header, article { background: none; }
  .bar { print-color-adjust: exact; }
}
`;
