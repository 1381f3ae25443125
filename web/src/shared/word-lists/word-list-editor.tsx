import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ListedWord } from '#contract/word-lists.ts'
import { toastUndo } from '../action-toast.tsx'
import { addWords, insertWord, removeWord, replaceWord } from './change-words.ts'
import { ListedWordRow } from './listed-word-row.tsx'
import type { WordListChange } from './use-word-list.ts'
import { WordForm } from './word-form.tsx'
import { matchesSearch } from './match-words.ts'
import classes from './word-list.module.css'

/** Longer lists have a search field. */
const searchedFrom = 10

interface WordListEditorProps {
  words: ListedWord[]
  canEdit: boolean
  isOfCase: boolean
  isSaving: boolean
  /** Rejects where it could not be saved, which has been told then. */
  onChange: (change: WordListChange) => Promise<void>
}

/** Adds, searches, changes and removes words; whoever may only read sees them. */
export function WordListEditor({ words, canEdit, isOfCase, isSaving, onChange }: WordListEditorProps) {
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<ListedWord | null>(null)
  const shown = words.filter((entry) => matchesSearch(entry, search))

  const change = (make: WordListChange) =>
    onChange(make).then(
      () => true,
      () => false,
    )

  async function save(added: ListedWord[]): Promise<boolean> {
    const isSaved = await change(edited ? replaceWord(edited, added) : addWords(added))
    if (isSaved) setEdited(null)
    return isSaved
  }

  async function remove(entry: ListedWord) {
    const index = words.indexOf(entry)
    if (!(await change(removeWord(entry)))) return
    toastUndo(`${entry.word} removed`, () => void change(insertWord(entry, index)))
  }

  return (
    <div className={classes.editor}>
      <Text size="sm" c="dimmed">
        {isOfCase ? 'Recordings of this case' : 'Your recordings'} are transcribed with these names, places and terms:
        what sounds like one of them is written as it is here, and marked on its line. Recordings that are transcribed
        already stay as they are until they are transcribed again.
      </Text>
      {canEdit && (
        <WordForm
          key={edited?.word ?? ''}
          edited={edited}
          isSaving={isSaving}
          onSave={save}
          onCancel={() => setEdited(null)}
        />
      )}
      {words.length >= searchedFrom && (
        <TextInput
          type="search"
          aria-label="Search the words"
          placeholder="Search the words"
          dir="auto"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {words.length === 0 && (
        <p className={classes.empty}>No words yet. Add names that transcripts get wrong, as they should be written.</p>
      )}
      {words.length > 0 && shown.length === 0 && <p className={classes.empty}>No word matches the search.</p>}
      {shown.length > 0 && (
        <ul className={classes.list} aria-label="Words and names">
          {shown.map((entry) => (
            <ListedWordRow
              key={entry.word}
              entry={entry}
              canEdit={canEdit}
              onEdit={() => setEdited(entry)}
              onRemove={() => void remove(entry)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
