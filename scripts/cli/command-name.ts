/**
 * Returns a text with the command line under its name here: release folders and images set theirs in AWAZ_COMMAND
 * (scripts/release/awaz.sh); a clone uses npm.
 */
export function withCommandName(text: string, command = process.env.AWAZ_COMMAND): string {
  return command === undefined ? text : text.replaceAll('npm run awaz --', command)
}
