// biome-ignore-all lint/performance/noBarrelFile: it is the program, of which the bundle has a copy with one command
/** The program for `wait`: a container runs it every ten seconds, so its bundle has no other command. */
export { runProgram } from './program.ts';
