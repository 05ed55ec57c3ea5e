// The facts of the two specifications that the code needs, as typed constants: operations, fields, bounds. The complete
// specifications are large; the command line and the dashboard import only these facts. The extensions of the formats
// come from the code: with its table, the dashboard would load every format. A step of generate.mjs.

import { createHash } from 'node:crypto';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Annotations, which constrain nothing. */
const ANNOTATIONS = new Set(['description', 'title', 'example', 'examples', 'deprecated']);

/** The shortest example of a parameter or a body; null without examples. */
const exampleIn = ({ examples = {} } = {}) =>
  Object.values(examples)
    .map(({ value }) => value)
    .sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0] ?? null;

/** Readers of one specification, which follow references and drop annotations. */
const readerOf = (specification) => {
  const resolve = ({ $ref, ...beside }) =>
    $ref === undefined
      ? beside
      : {
          ...resolve(
            $ref
              .slice(2)
              .split('/')
              .reduce((node, name) => node[name], specification),
          ),
          ...beside,
        };
  /** A schema with its references followed at any depth, and without annotations. */
  const bounds = (node, within = []) => {
    if (Array.isArray(node)) return node.map((each) => bounds(each, within));
    if (typeof node !== 'object' || node === null) return node;
    if (within.includes(node.$ref)) throw new Error(`spec/openapi.yaml: ${node.$ref} refers to itself`);
    const deeper = node.$ref === undefined ? within : [...within, node.$ref];
    return Object.fromEntries(
      Object.entries(resolve(node))
        .filter(([keyword]) => !ANNOTATIONS.has(keyword))
        .map(([keyword, value]) => [
          keyword,
          // The names below these are of fields, not of keywords; values of the API stay as they are.
          /^(?:properties|patternProperties|dependentSchemas|\$defs)$/.test(keyword)
            ? mapValues(value, (each) => bounds(each, deeper))
            : /^(?:default|const|enum)$/.test(keyword)
              ? value
              : bounds(value, deeper),
        ]),
    );
  };
  /** An object schema with the bounds of each member. */
  const fields = (node) => bounds(node);
  return { resolve, bounds, fields };
};

const operationsOf = (specification) => {
  const { resolve, bounds } = readerOf(specification);
  const nameOf = (content) => content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? null;
  const responsesOf = (node) =>
    Object.entries(node.responses)
      .filter(([status]) => /^\d{3}$/.test(status))
      .map(([status, response]) => ({ status: Number(status), ...resolve(response) }));
  const described = Object.entries(specification.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const node = item[method];
      const responses = responsesOf(node);
      const success = responses.find(({ status }) => status < 300);
      if (!node.operationId) throw new Error(`spec/openapi.yaml: ${method} ${path} needs an operationId`);
      if (!success) throw new Error(`spec/openapi.yaml: ${node.operationId} describes no success`);
      const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map(resolve);
      const facts = {
        method,
        path,
        deprecated: node.deprecated === true,
        sunset: node['x-sunset'] ?? null,
        parameters: Object.fromEntries(
          parameters.map(({ name, in: place, required = false, schema, ...rest }) => [
            `${place}/${name}`,
            { required, schema: bounds(schema), example: exampleIn(rest) },
          ]),
        ),
        body: node.requestBody ? (nameOf(resolve(node.requestBody).content) ?? 'unnamed') : null,
        bodyExample: node.requestBody ? exampleIn(resolve(node.requestBody).content?.['application/json']) : null,
        success: { status: success.status, schema: nameOf(success.content) },
        responses: Object.fromEntries(responses.map(({ status, description = '' }) => [status, description])),
      };
      return [node.operationId, facts];
    }),
  );
  return Object.fromEntries(described);
};

/**
 * The schemas of fields and parameters of the petstore API that a compiled function checks, by their place.
 * @param isPlain whether the service checks a schema without one
 */
export const compiledSchemasOf = (petstore, isPlain) => {
  const { bounds } = readerOf(petstore);
  const fields = Object.entries(petstore.components.schemas).flatMap(([object, { properties = {} }]) =>
    Object.entries(properties).map(([name, schema]) => [`${object}/${name}`, bounds(schema)]),
  );
  const parameters = Object.entries(operationsOf(petstore)).flatMap(([operation, facts]) =>
    Object.entries(facts.parameters).map(([place, { schema }]) => [`${operation}/${place}`, schema]),
  );
  return Object.fromEntries([...fields, ...parameters].filter(([, schema]) => !isPlain(schema)));
};

/** The names of the fields that are int64, or have some in them, of a specification. */
const int64MembersOf = (node, name = '') =>
  Object.entries(node).flatMap(([keyword, inside]) => {
    if (keyword === 'format' && inside === 'int64') return [name];
    if (typeof inside !== 'object' || inside === null || /^(?:example|examples|default|const|enum)$/.test(keyword))
      return [];
    if (keyword !== 'properties') return int64MembersOf(inside, name);
    return Object.entries(inside).flatMap(([each, field]) => int64MembersOf(field, each));
  });

/** What a flag needs to know of the fields of each control, in its query and its body. */
const controlFieldsOf = (controls) => {
  const { resolve } = readerOf(controls);
  const kept = ({ type, enum: values, items, properties }, required) => ({
    ...{ type, enum: values, items: items && { enum: resolve(items).enum } },
    properties: properties && mapValues(properties, () => ({})),
    ...(required && { required }),
  });
  const controlsOf = Object.entries(controls.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { parameters = [], requestBody } = item[method];
      const { properties = {}, required = [] } = resolve(
        requestBody ? (resolve(requestBody).content['application/json']?.schema ?? {}) : {},
      );
      const query = parameters.map(resolve).filter((each) => each.in === 'query' && each.name !== 'sandbox');
      return [
        `${method.toUpperCase()} ${path}`,
        {
          ...Object.fromEntries(query.map(({ name, schema }) => [name, kept(resolve(schema))])),
          ...mapValues(properties, (field, name) => kept(resolve(field), required.includes(name))),
        },
      ];
    }),
  );
  return Object.fromEntries(controlsOf.filter(([, fields]) => Object.keys(fields).length > 0));
};

/** The text of `src/base/generated/facts.ts`. @param petstore @param controls both specifications, parsed @param tables of the code */
export const factsText = (petstore, controls, { FORMATS }) => {
  const { fields } = readerOf(petstore);
  const faults = readerOf(controls);
  const newFault = controls.components.schemas.NewFault;
  for (const name of ['NewPet', 'Pet'])
    if (!petstore.components.schemas[name]?.properties)
      throw new Error(
        `spec/openapi.yaml: ${name} has no properties of its own; write them out, in place of allOf or others`,
      );
  const objects = Object.fromEntries(
    Object.entries(petstore.components.schemas).filter(([, { properties }]) => properties !== undefined),
  );
  const constants = {
    interfaceVersion: [petstore.info.version],
    specificationDigest: [
      createHash('sha256').update(JSON.stringify(petstore)).digest('hex').slice(0, 12),
      'The beginning of its SHA-256.',
    ],
    basePath: [petstore.servers[0].url, 'Stands before every path.'],
    operations: [operationsOf(petstore), 'Every operation of the API by its name, in the order of the paths.'],
    schemas: [mapValues(objects, fields), 'The object schemas: references are followed, and annotations dropped.'],
    petStatuses: [petstore.components.schemas.PetStatus.enum],
    idPatterns: [
      Object.fromEntries(
        ['SandboxId', 'KeyId', 'FaultId', 'RequestId'].map((name) => [name, controls.components.schemas[name].pattern]),
      ),
      'What ids are, by the names of their schemas.',
    ],
    newFault: [
      { ...newFault, properties: mapValues(newFault.properties, faults.resolve) },
      'The fields of a fault rule, and which of them go together.',
    ],
    controlFields: [
      controlFieldsOf(controls),
      'The fields of each control in its query and its body: type and values.',
    ],
    int64Members: [
      [...new Set(int64MembersOf(controls.components.schemas))].filter((name) => name !== ''),
      'The fields that are int64 in a response of the control API, by name.',
    ],
    pathsWithoutSandbox: [
      Object.keys(controls.paths).filter(
        (path) => !JSON.stringify(controls.paths[path]).includes('/parameters/Sandbox"'),
      ),
      'The paths of the control API whose operations act on no sandbox.',
    ],
    drillGroups: [controls.components.schemas.DrillGroup.enum],
    formatExtensions: [mapValues(FORMATS, ({ extension }) => extension), 'Of a file in each format of results.'],
  };
  const texts = Object.entries(constants).map(
    ([name, [value, comment]]) =>
      `${comment ? `/** ${comment} */\n` : ''}export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
  );
  return `// Generated from spec/openapi.yaml and spec/control-api.yaml by scripts/generate.mjs; change those instead.\n\n${texts.join('\n')}
export type OperationName = keyof typeof operations;
export type FaultField = keyof typeof newFault.properties;

export const operationNames = /* @__PURE__ */ Object.keys(operations) as OperationName[];
export const faultFields = /* @__PURE__ */ (() => Object.keys(newFault.properties) as FaultField[])();
`;
};

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
