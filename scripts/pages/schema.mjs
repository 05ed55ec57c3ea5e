/** JSON Schema in words: the type of a value, its bounds, and its fields, with every reference followed. */
import { escaped, inlineOf, proseOf } from './markdown.mjs';

/** Keywords that are no bound of a value, or part of its type, its fields or its rules. */
const SHOWN_ELSEWHERE = new Set([
  ...['type', 'format', 'description', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'contentSchema', 'dependentRequired', 'rules', 'alternatives', 'isNullable', 'names'],
]);

/** A few fields are seen at once; more are opened. */
const FEW = 4;

/** Writes the schemas of one specification. */
export class SchemaWriter {
  #named;

  /** @param named `components.schemas` of the specification */
  constructor(named) {
    this.#named = named;
  }

  /** Its type in words: `string`, `array of objects`, `integer or null`. */
  typeOf(schema) {
    const { type, format, items, alternatives, isNullable, ...whole } = this.#wholeOf(schema);
    const nullable = isNullable ? ' or null' : '';
    if (alternatives.length > 0)
      return `${[...new Set(alternatives.map((each) => this.typeOf(each)))].join(' or ')}${nullable}`;
    const name = [type ?? (whole.const === undefined ? 'any' : typeof whole.const)].flat().join(' or ');
    if (items !== undefined) return `array of ${this.typeOf(items).replace(/^(?:\w+)(?!.* or )/, '$&s')}${nullable}`;
    return `${name}${format === undefined ? '' : ` (${format})`}${nullable}`;
  }

  /** Whether there is nothing to say of it beyond its type. */
  isSimple(schema) {
    const whole = this.#wholeOf(schema);
    return this.#countOf(whole) + this.#boundsOf(whole).length + whole.rules.length + whole.alternatives.length === 0;
  }

  /** The fields of an object, of the entries of an array, or of each alternative; and what holds for all of it. */
  fieldsOf(schema, above = []) {
    const whole = this.#wholeOf(schema);
    if (whole.names.some((name) => above.includes(name))) return '<p class="hint">The same fields again.</p>';
    const trail = [...above, ...whole.names];
    const { properties = {}, required = [], additionalProperties, items, contentSchema, alternatives, rules } = whole;
    const rows = Object.entries(properties).map(([name, each]) =>
      this.#rowOf(`<code>${escaped(name)}</code>`, each, required.includes(name), trail),
    );
    if (typeof additionalProperties === 'object')
      rows.push(this.#rowOf('any name', additionalProperties, false, trail));
    return [
      rows.length > 0 ? `<ul class="fields">${rows.join('\n')}</ul>` : '',
      rules.length > 0 ? `<ul class="rules">${rules.map((rule) => `<li>${rule}</li>`).join('')}</ul>` : '',
      rows.length === 0 ? boundsText(this.#boundsOf(whole)) : '',
      ...[items, contentSchema].map((each) => (each === undefined ? '' : this.fieldsOf(each, trail))),
      ...alternatives.map((each) => this.#alternativeOf(each, trail)),
    ].join('');
  }

  /** A field, and the fields in it. */
  #rowOf(name, schema, isRequired, trail) {
    const whole = this.#wholeOf(schema);
    const { description } = whole;
    const inside = this.#insideOf(whole, schema, trail);
    return [
      `<li><p>${name} <span class="type">${this.typeOf(schema)}</span>${isRequired ? ' <em>required</em>' : ''}</p>`,
      description === undefined ? '' : proseOf(description),
      boundsText(this.#boundsOf(whole)),
      inside,
      '</li>',
    ].join('');
  }

  /** What is in a field, one level deeper. */
  #insideOf(whole, schema, trail) {
    const count = this.#countOf(whole);
    if (count === 0) return whole.alternatives.map((each) => this.#alternativeOf(each, trail)).join('');
    const isOpen = count <= FEW && trail.length <= 1;
    const title = `${count} ${count === 1 ? 'field' : 'fields'}`;
    return `<details${isOpen ? ' open' : ''}><summary>${title}</summary>${this.fieldsOf(schema, trail)}</details>`;
  }

  /** How many fields it has, itself or in its entries. */
  #countOf({ properties = {}, additionalProperties, items, contentSchema }) {
    const own = Object.keys(properties).length + (typeof additionalProperties === 'object' ? 1 : 0);
    const inner = [items, contentSchema].map((each) => (each === undefined ? 0 : this.#countOf(this.#wholeOf(each))));
    return inner.reduce((sum, count) => sum + count, own);
  }

  /** One of several schemas that a value may have. */
  #alternativeOf(schema, trail) {
    if (this.isSimple(schema)) return '';
    const { description } = this.#wholeOf(schema);
    const words = description === undefined ? '' : `: ${inlineOf(description.trim())}`;
    return `<details><summary>${this.typeOf(schema)}${words}</summary>${this.fieldsOf(schema, trail)}</details>`;
  }

  /** What a value must be beyond its type, in the words of JSON Schema, as HTML. */
  #boundsOf(whole) {
    const { examples, ...others } = whole;
    const bounds = Object.entries({ ...others, ...(examples && { 'for example': examples }) }).flatMap(
      ([keyword, value]) => (SHOWN_ELSEWHERE.has(keyword) ? [] : `${keyword} ${[value].flat().map(codeOf).join(', ')}`),
    );
    const each = whole.items === undefined ? undefined : this.#wholeOf(whole.items);
    return each === undefined || each.properties
      ? bounds
      : [...bounds, ...this.#boundsOf(each).map((bound) => `each: ${bound}`)];
  }

  /** Follows the reference of a schema, and puts together what it is made of. */
  #wholeOf(schema) {
    const { $ref, allOf = [], ...own } = schema;
    const name = $ref?.replace(/^.*\//, '');
    const parts = [...(name === undefined ? [] : [this.#named[name]]), ...allOf];
    const whole = [...parts.map((part) => this.#wholeOf(part)), this.#withAlternatives(own)].reduce(wholeOfBoth);
    return name === undefined ? whole : { ...whole, names: [...whole.names, name] };
  }

  /** A schema without reference, whose `anyOf`, `oneOf` and `not` are in words where they only say which fields go together. */
  #withAlternatives({ anyOf = [], oneOf = [], not, type, ...own }) {
    const conditions = anyOf.filter(isCondition);
    const either = [...anyOf, ...oneOf];
    const schemasOf = either.filter((each) => !isCondition(each) && each.type !== 'null');
    const types = [type ?? []].flat().filter((each) => each !== 'null');
    const whole = {
      ...own,
      ...(types.length > 0 && { type: types }),
      rules: rulesOf({ ...own, ...(not && { not }) }, conditions),
      alternatives: schemasOf.length > 1 ? schemasOf : [],
      isNullable: types.length < [type ?? []].flat().length || either.some((each) => each.type === 'null'),
      names: [],
    };
    return schemasOf.length === 1 ? wholeOfBoth(this.#wholeOf(schemasOf[0]), whole) : whole;
  }
}

const boundsText = (bounds) => (bounds.length === 0 ? '' : `<p class="hint">${bounds.join(' · ')}</p>`);

const codeOf = (value) => `<code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;

/** `required: [now]`: says nothing of a value but which fields it has. */
const isCondition = ({ required, type, properties = {} }) =>
  required !== undefined &&
  type === undefined &&
  Object.values(properties).every((each) => Object.keys(each).length === 0);

/** What holds between the fields, as HTML. */
function rulesOf({ not, dependentRequired = {} }, conditions) {
  const names = (all = []) => all.map((name) => `<code>${escaped(name)}</code>`).join(' and ');
  return [
    conditions.length === 0
      ? ''
      : `Needs at least one of ${conditions.map((each) => names(each.required)).join(', ')}.`,
    not === undefined
      ? ''
      : not.description === undefined && not.required === undefined
        ? `must not be as ${codeOf(not)} says.`
        : inlineOf(`${not.description ?? `must not have ${not.required?.join(' together with ')}`}.`),
    ...Object.entries(dependentRequired).map(([name, needed]) => `${names([name])} needs ${names(needed)}.`),
  ].filter((rule) => rule !== '');
}

function wholeOfBoth(a, b) {
  const inBoth = Object.keys(b.properties ?? {}).filter((name) => a.properties?.[name] !== undefined);
  const properties = {
    ...a.properties,
    ...b.properties,
    ...Object.fromEntries(inBoth.map((name) => [name, { allOf: [a.properties?.[name], b.properties?.[name]] }])),
  };
  return {
    ...a,
    ...b,
    ...((a.properties ?? b.properties) && { properties }),
    required: [...(a.required ?? []), ...(b.required ?? [])],
    rules: [...a.rules, ...b.rules],
    alternatives: [...a.alternatives, ...b.alternatives],
    isNullable: a.isNullable || b.isNullable,
    names: [...a.names, ...b.names],
  };
}
