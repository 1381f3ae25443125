/**
 * How the product's command line is invoked here, for messages that name a command: release folders, packages and images set it in
 * AWAZ_COMMAND (scripts/release/awaz.sh); a clone uses npm.
 */
export const awazCommand = process.env.AWAZ_COMMAND ?? 'npm run awaz --'
