/** Terms of a server that an organisation runs for its own people; the operator replaces them by DATA_DIR/terms.md. */
export const termsText = `
Awaz turns recordings into text and translates it. Whoever runs this server decides who may use it and for what.

## Using it
- Upload only recordings you are allowed to process.
- Keep your password and your second factor to yourself.
- Machine transcription and translation make mistakes. Listen to the recording before you rely on a sentence.
- A keyword match is a place to listen, never a verdict about a person.

## Your account
An administrator may deactivate or delete an account. Deleting it removes its recordings, transcripts, translations and keywords.
`

/** What the product does with data; true for every installation. */
export const privacyText = `
Recordings are processed on this server and on no other. The models run here; nothing is sent to outside services.

## What is stored
- Your account: names, e-mail address, username, and your password and codes in protected form.
- Your recordings with their transcripts, translations, speaker timelines and keywords, until you delete them.
- Sign-ins with time and address, and an audit trail of account changes.

## Who sees it
You alone see your recordings and what was made of them; administrators see accounts, sessions and the audit trail.

## In your browser
The browser keeps the tokens of your session, your settings and a copy of your keywords. Signing out removes the tokens.
`

/** Where help is, without naming anybody: the operator replaces it by DATA_DIR/support.md. */
export const supportText = `
Ask the administrator of this server. They can unlock an account, reset a password or a lost second factor, and see
why a mail did not arrive.

## Before you ask
- **A recording is refused.** Awaz reads MP3, WAV, M4A, FLAC, OGG, MP4 and WEBM up to 100 MB, unless your administrator set another limit.
- **A language is missing.** What can be transcribed and translated depends on the models installed on this server.
- **Locked out.** After repeated failed sign-ins an account locks for a short time and unlocks by itself.
- **Phone lost.** Sign in with a backup code; without one the administrator resets your second factor.
- **No code arrives.** Check the spam folder. A server without mail keeps its messages for the administrator.
`
