// In place of `graphql`, which `@redocly/openapi-core` imports for documents that are no OpenAPI.
module.exports = {};
