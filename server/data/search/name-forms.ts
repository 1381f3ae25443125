import { listNameForms, soundOfName, type NameForm } from '#contract/name-sounds/names-in-text.ts'
import { storedKeys } from '#contract/name-sounds/sound-key.ts'

/** What may be a name in a set of texts, by key of sound. */
export interface NameForms {
  add(text: string): void
  remove(text: string): void
  /** Returns the forms with one of these keys (see searchKeys). */
  find(keys: string[]): NameForm[]
}

interface CountedForm {
  form: NameForm
  /** How many of the texts have it. */
  count: number
}

/** Creates an empty set. What texts say is read when something is looked for: most searches look for no name. */
export function createNameForms(): NameForms {
  const pending = new Map<string, number>()
  const byKey = new Map<string, Map<string, CountedForm>>()

  function count(text: string, by: number): void {
    const sum = (pending.get(text) ?? 0) + by
    if (sum === 0) pending.delete(text)
    else pending.set(text, sum)
  }

  function apply(text: string, by: number): void {
    for (const form of listNameForms(text)) {
      const sound = soundOfName(form)
      for (const key of sound ? storedKeys(sound) : []) countForm(key, form, by)
    }
  }

  function countForm(key: string, form: NameForm, by: number): void {
    const forms = byKey.get(key) ?? new Map<string, CountedForm>()
    byKey.set(key, forms)
    const name = form.join(' ')
    const known = forms.get(name) ?? { form, count: 0 }
    known.count += by
    if (known.count === 0) forms.delete(name)
    else forms.set(name, known)
    if (forms.size === 0) byKey.delete(key)
  }

  return {
    add: (text) => count(text, 1),
    remove: (text) => count(text, -1),
    find(keys) {
      for (const [text, by] of pending) apply(text, by)
      pending.clear()
      return keys.flatMap((key) => [...(byKey.get(key)?.values() ?? [])].map(({ form }) => form))
    },
  }
}
