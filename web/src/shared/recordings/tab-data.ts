/**
 * Storage keys of the signed-in user's data. Kept apart from the modules that read it, so that the first page, which only removes it, loads
 * without their schemas.
 */
export const uploadedFileKey = 'uploaded_file'
export const likelyNamesKey = 'likely_names'
/** Followed by the id of the user who made them. */
export const unsentEditsPrefix = 'unsent_edits:'
/** Followed by the id of the user who heard it. */
export const unsentHeardPrefix = 'unsent_heard:'
/** Followed by the id of the user who marked lines. */
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

/** Returns how often users have signed out in this page. Unsent work from before a sign-out is not kept. */
export function countSignOuts(): number {
  return signOuts
}

/** Removes what a user leaves behind at sign-out, in session and local storage. */
export function forgetUser(): void {
  signOuts += 1
  forgetUploadedFile()
  forgetUnsent()
  for (const prefix of [recentSearchesPrefix, unsentUploadsPrefix]) forgetStored(prefix)
}

function forgetStored(prefix: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}

/** Removes the unsent work of all users, except `keptUserId` if given. */
export function forgetUnsent(keptUserId?: string): void {
  for (const prefix of [unsentEditsPrefix, unsentHeardPrefix, unsentMarksPrefix, unsentNotesPrefix]) {
    const kept = keptUserId && prefix + keptUserId
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix) && key !== kept) sessionStorage.removeItem(key)
    }
  }
}
