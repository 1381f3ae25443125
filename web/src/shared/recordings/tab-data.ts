/**
 * What session storage keeps of the signed-in user's recordings. Apart from the modules that read it, so that the first page, which
 * only removes it, loads without their schemas.
 */
export const uploadedFileKey = 'uploaded_file'
export const likelyNamesKey = 'likely_names'
export const unsentEditsKey = 'unsent_edits'

/** Removes the recording this tab works on: it belongs to the user who was signed in. */
export function forgetUploadedFile(): void {
  sessionStorage.removeItem(uploadedFileKey)
}

/** Removes the names of all recordings: they belong to whoever typed them. */
export function forgetLikelyNames(): void {
  sessionStorage.removeItem(likelyNamesKey)
}

/** Removes changes to lines that the server does not have: they belong to whoever made them. */
export function forgetUnsentEdits(): void {
  sessionStorage.removeItem(unsentEditsKey)
}
