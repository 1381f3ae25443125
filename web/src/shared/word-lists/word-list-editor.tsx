import { Box, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import type { ListedWord } from '#contract/word-lists.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import { toastUndo } from '../action-toast.tsx'
import { rich } from '../texts/rich.tsx'
import { DirectionalText } from '../ui/directional-text.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Isolated } from '../ui/isolated.tsx'
import { addWords, findProblem, insertWord, removeWord, replaceWord } from './change-words.ts'
import { useWordFocus } from './use-word-focus.ts'
import type { WordListChange } from './use-word-list.ts'
import { ListedWordForm } from './listed-word-form.tsx'
import classes from './word-list.module.css'
import common from '../ui/common.module.css'

/** Returns whether a word or another spelling of it contains the search text, ignoring case and accents. */
function matchesSearch({ word, heard_as: others }: ListedWord, search: string): boolean {
  const wanted = foldKeyword(search)
  return [word, ...others].some((spelling) => foldKeyword(spelling).includes(wanted))
}

interface ListedWordRowProps {
  entry: ListedWord
  canEdit: boolean
  onEdit: () => void
  onRemove: () => void
}

/** A word with what was heard instead. */
function ListedWordRow({ entry, canEdit, onEdit, onRemove }: ListedWordRowProps) {
  const { word, heard_as: others } = entry
  return (
    <Group component="li" gap="xs" wrap="nowrap" py={6} className={common.lineBetween} data-word={word}>
      <Box flex={1} miw={0} className={common.wrap}>
        <DirectionalText as="span" language={null} className={classes.word}>
          {word}
        </DirectionalText>
        {others.length > 0 && (
          <Text component="div" inherit c="dimmed" fz="sm">
            {rich('also heard as {words}', {
              words: (
                <>
                  {others.map((other, index) => (
                    <span key={other}>
                      {index > 0 && ', '}
                      <Isolated>{other}</Isolated>
                    </span>
                  ))}
                </>
              ),
            })}
          </Text>
        )}
      </Box>
      {canEdit && (
        <Group gap={0} align="stretch" wrap="nowrap" flex="none">
          <IconButton label={t('Edit {word}', { word: isolateName(word) })} onClick={onEdit}>
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </IconButton>
          <IconButton label={t('Remove {word}', { word: isolateName(word) })} onClick={onRemove}>
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </IconButton>
        </Group>
      )}
    </Group>
  )
}

/** Longer lists have a search field. */
const searchedFrom = 10

interface WordListEditorProps {
  words: ListedWord[]
  canEdit: boolean
  isOfCase: boolean
  /** Rejects if saving failed, which has been reported by then. */
  onChange: (change: WordListChange) => Promise<void>
}

/** Adds, searches, changes and removes words; read-only users only see them. */
export function WordListEditor({ words, canEdit, isOfCase, onChange }: WordListEditorProps) {
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<ListedWord | null>(null)
  const { ref, focusWord, focusWordOnceListed } = useWordFocus(words, edited)
  const shown = words.filter((entry) => matchesSearch(entry, search))
  // Someone else has removed the word: saving the change would add it again.
  if (edited && words.every(({ word }) => word !== edited.word)) setEdited(null)

  const change = (make: WordListChange) =>
    onChange(make).then(
      () => true,
      () => false,
    )

  /** Ends the change of a word, if it is still the one being changed. */
  function close(entry: ListedWord, focused: string) {
    focusWordOnceListed(focused)
    setEdited((current) => (current?.word === entry.word ? null : current))
  }

  async function replace(entry: ListedWord, others: ListedWord[]): Promise<boolean> {
    const isSaved = await change(replaceWord(entry, others))
    if (isSaved) close(entry, others[0]?.word ?? entry.word)
    return isSaved
  }

  async function remove(entry: ListedWord) {
    const index = words.indexOf(entry)
    const place = shown.indexOf(entry)
    focusWord((shown[place + 1] ?? shown[place - 1])?.word)
    if (!(await change(removeWord(entry)))) return
    toastUndo(t('{word} removed', { word: isolateName(entry.word) }), () => void change(insertWord(entry, index)))
  }

  return (
    <Stack gap="sm" ref={ref}>
      <Text size="sm" c="dimmed">
        {isOfCase
          ? t(
              'Recordings of this case are transcribed with these names, places and terms: what sounds like one of them is written as it is here, and marked on its line. Recordings that are transcribed already stay as they are until they are transcribed again.',
            )
          : t(
              'Your recordings are transcribed with these names, places and terms: what sounds like one of them is written as it is here, and marked on its line. Recordings that are transcribed already stay as they are until they are transcribed again.',
            )}
      </Text>
      {canEdit && (
        // Only hidden while a word is being changed, so that typed text is kept.
        <div hidden={edited !== null}>
          <ListedWordForm
            edited={null}
            findProblem={(added) => findProblem(addWords(added)(words))}
            onSave={(added) => change(addWords(added))}
          />
        </div>
      )}
      {edited && (
        <ListedWordForm
          key={edited.word}
          edited={edited}
          findProblem={(others) => findProblem(replaceWord(edited, others)(words))}
          onSave={(others) => replace(edited, others)}
          onCancel={() => close(edited, edited.word)}
        />
      )}
      {words.length >= searchedFrom && (
        <TextInput
          type="search"
          aria-label={t('Search the words')}
          placeholder={t('Search the words')}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {words.length === 0 && (
        <Text c="dimmed" fz="sm">
          {t('No words yet. Add names that transcripts get wrong, as they should be written.')}
        </Text>
      )}
      {words.length > 0 && shown.length === 0 && (
        <Text c="dimmed" fz="sm">
          {t('No word matches the search.')}
        </Text>
      )}
      {shown.length > 0 && (
        <ul className={classes.list} aria-label={t('Words and names')} tabIndex={canEdit ? undefined : 0}>
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
    </Stack>
  )
}
