// Replaces the JSON Schema validator of the MCP library, a second Ajv: our server asks its clients for no input.
export const process = globalThis.process;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This part of the MCP library is left out of the bundle; see scripts/bundle.mjs.');
  }
}
