export type FieldFaults = Partial<Record<'email' | 'username' | 'password' | 'general', string>>

/** Sentences about an account, sorted by the field they speak of (accounts specification, section 8). */
export function sortFaults(details: string[]): FieldFaults {
  const faults: FieldFaults = {}
  for (const detail of details) {
    const field = fieldOf(detail.toLowerCase())
    faults[field] = faults[field] ? `${faults[field]} ${detail}` : detail
  }
  return faults
}

function fieldOf(detail: string): keyof FieldFaults {
  if (detail.includes('email') || detail.includes('e-mail')) return 'email'
  if (detail.includes('username')) return 'username'
  return detail.includes('password') ? 'password' : 'general'
}
