/**
 * Returns a text with the command line as it is called here: release folders and images name theirs in AWAZ_COMMAND (scripts/release/awaz.sh), a clone
 * has npm.
 */
export function withCommandName(text: string, command = process.env.AWAZ_COMMAND): string {
  return command === undefined ? text : text.replaceAll('npm run awaz --', command)
}
