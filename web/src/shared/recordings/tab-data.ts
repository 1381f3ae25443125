/**
 * What session storage keeps of the signed-in user's recordings. Apart from the modules that read it, so that the first page, which
 * only removes it, loads without their schemas.
 */
export const uploadedFileKey = 'uploaded_file'
export const likelyNamesKey = 'likely_names'
/** Followed by the id of the user who made them. */
export const unsentEditsPrefix = 'unsent_edits:'
/** Followed by the id of the user who heard it. */
export const unsentHeardPrefix = 'unsent_heard:'
/** Followed by the id of the user who said something of lines. */
export const unsentMarksPrefix = 'unsent_marks:'
/** Followed by the id of the user who wrote them. */
export const unsentNotesPrefix = 'unsent_notes:'
/** In local storage, followed by the id of the user who searched. */
export const recentSearchesPrefix = 'recent_searches:'

/** In local storage, followed by the id of the user who uploads. */
export const unsentUploadsPrefix = 'unsent_uploads:'

/** Removes the recording this tab works on: it belongs to the user who was signed in. */
function forgetUploadedFile(): void {
  sessionStorage.removeItem(uploadedFileKey)
}

/** Removes the names of all recordings: they belong to the user who typed them. */
export function forgetLikelyNames(): void {
  sessionStorage.removeItem(likelyNamesKey)
}

let signOuts = 0

/** Grows when a user signs out: what they did before is no longer kept. */
export function countSignOuts(): number {
  return signOuts
}

/** Removes what a user who signs out leaves in this tab. */
export function forgetUser(): void {
  signOuts += 1
  forgetUploadedFile()
  forgetUnsent()
  for (const prefix of [recentSearchesPrefix, unsentUploadsPrefix]) forgetStored(prefix)
}

function forgetStored(prefix: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}

/** Removes what the server does not have, of all users but one: it belongs to the user who did it. */
export function forgetUnsent(keptUserId?: string): void {
  for (const prefix of [unsentEditsPrefix, unsentHeardPrefix, unsentMarksPrefix, unsentNotesPrefix]) {
    const kept = keptUserId && prefix + keptUserId
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix) && key !== kept) sessionStorage.removeItem(key)
    }
  }
}
