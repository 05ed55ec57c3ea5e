/** `spawn` of `node:child_process` that finds commands on Windows as its shell does: `npm` is `npm.cmd` there. */
declare module 'cross-spawn' {
  import { spawn } from 'node:child_process';

  export { spawn };
}
