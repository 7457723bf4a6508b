/** The fields that have a value: where one has none, it must be absent and not `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const given: { [Name in keyof Fields]?: Fields[Name] } = {};
  for (const name in fields) if (fields[name] !== undefined) given[name] = fields[name];
  return given as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
