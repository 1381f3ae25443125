/**
 * The command line of the product as it is called here, for sentences that name a command: release folders, packages and images give it in AWAZ_COMMAND
 * (scripts/release/awaz.sh), a clone has npm.
 */
export const awazCommand = process.env.AWAZ_COMMAND ?? 'npm run awaz --'
