/** Known reasons of failures, by their text. Any other failure is a fault of the engine, and the runner exits with an error. */
const knownReasons: readonly (readonly [RegExp, string])[] = [
  [/collation/, 'collations are refused: nothing here asks for one'],
  [/\$out|\$merge|\$documents|\$listLocalSessions/, 'an aggregation stage that nothing here sends is refused'],
  [/\$rand/, 'an expression that nothing here sends is refused'],
  [/viewOn/, 'views are refused'],
  [/event \d+\.bypassDocumentValidation: false is missing/, 'the Node.js driver leaves out an option that is false'],
  [/^create-null-ids\.json .*via (?:insert|bulk|client)/, 'the Node.js driver makes an _id where it is null'],
]

/** Returns the reason of a failure, which is given as the file, the name of the test and the difference. */
export function reasonFor(failure: string): string | undefined {
  return knownReasons.find(([pattern]) => pattern.test(failure))?.[1]
}
