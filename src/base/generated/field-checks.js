// Generated from the specifications by scripts/generate.mjs; change them instead.
export const checks = {};
