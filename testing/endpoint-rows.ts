/** Returns rows for a table of endpoints: the named endpoints of a group, all with the same value. */
export function endpointRows<Value extends string>(
  group: string,
  names: string[],
  value: Value,
): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [`${group}.${name}`, value]))
}
