// Generated from spec/openapi.yaml by scripts/generate.mjs; change the specification instead.
export const checks = {};
