/**
 * What session storage keeps of the signed-in user's recordings. Apart from the modules that read it, so that the first page, which
 * only removes it, loads without their schemas.
 */
export const uploadedFileKey = 'uploaded_file'
export const likelyNamesKey = 'likely_names'
/** Followed by the id of the user who made them. */
export const unsentEditsPrefix = 'unsent_edits:'
/** In local storage, followed by the id of the user who searched. */
export const recentSearchesPrefix = 'recent_searches:'

/** Removes the recording this tab works on: it belongs to the user who was signed in. */
function forgetUploadedFile(): void {
  sessionStorage.removeItem(uploadedFileKey)
}

/** Removes the names of all recordings: they belong to whoever typed them. */
export function forgetLikelyNames(): void {
  sessionStorage.removeItem(likelyNamesKey)
}

let signOuts = 0

/** Grows when a user signs out: what they did before is kept no more. */
export function countSignOuts(): number {
  return signOuts
}

/** Removes what a user who signs out leaves in this tab. */
export function forgetUser(): void {
  signOuts += 1
  forgetUploadedFile()
  forgetUnsentEdits()
  forgetRecentSearches()
}

function forgetRecentSearches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(recentSearchesPrefix)) localStorage.removeItem(key)
}

/** Removes changes to lines that the server does not have, of all users but one: they belong to whoever made them. */
export function forgetUnsentEdits(keptUserId?: string): void {
  const kept = keptUserId && unsentEditsPrefix + keptUserId
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(unsentEditsPrefix) && key !== kept) sessionStorage.removeItem(key)
  }
}
