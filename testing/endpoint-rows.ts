/** Returns rows of a table of endpoints: all of these of one group have the same value. */
export function endpointRows<Value extends string>(
  group: string,
  names: string[],
  value: Value,
): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [`${group}.${name}`, value]))
}
