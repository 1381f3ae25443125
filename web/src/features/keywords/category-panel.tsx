import { Button, Group, Pill, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { useForm } from '@mantine/form'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconEar from '@tabler/icons-react/dist/esm/icons/IconEar.mjs'
import { defaultKeywords } from '#contract/keywords/defaults.ts'
import { addKeywords } from '#contract/keywords/keyword-input.ts'
import { type KeywordCategory, keywordCategoryNames, type Keywords } from '#contract/keywords/keywords.ts'
import { canSoundLike } from '#contract/keywords/sounds-like.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatNumber } from '../../shared/format.ts'
import { toastError, toastInfo, toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { Form } from '../../shared/ui/form.tsx'
import classes from './keywords.module.css'

interface KeywordChipProps {
  word: string
  category: KeywordCategory
  /** Whether similar-sounding words match too. */
  isSimilar: boolean
  /** Undefined if the word is too short to match by sound. */
  onToggleSimilar: (() => void) | undefined
  onRemove: () => void
}

/** A keyword, with a switch for matching similar-sounding words and a remove button. */
function KeywordChip({ word, category, isSimilar, onToggleSimilar, onRemove }: KeywordChipProps) {
  return (
    <Pill
      withRemoveButton
      size="lg"
      removeButtonProps={{ 'aria-label': t('Remove {word}', { word }), 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
      className={classes.chip}
      classNames={{ label: classes.chipLabel }}
      data-category={category}
    >
      {onToggleSimilar && (
        <Tooltip label={isSimilar ? t('Also finds words that sound like it') : t('Finds the word as written')}>
          <UnstyledButton
            className={classes.similar}
            role="switch"
            aria-checked={isSimilar}
            aria-label={t('Also find what sounds like {word}', { word })}
            onClick={onToggleSimilar}
          >
            <IconEar size={16} stroke={1.75} aria-hidden />
          </UnstyledButton>
        </Tooltip>
      )}
      <Isolated>{word}</Isolated>
    </Pill>
  )
}

/** How long toasts show (audio-workflow specification, section 2). */
const keywordToastMs = 4000

interface CategoryPanelProps {
  category: KeywordCategory
  store: { keywords: Keywords; save: (keywords: Keywords) => Promise<string | undefined> }
}

/** The keywords of one category: added with Enter or the plus button, shown as chips with a remove button. */
export function CategoryPanel({ category, store }: CategoryPanelProps) {
  const { name } = keywordCategoryNames[category]
  const words = store.keywords[category]

  const similar = store.keywords.sounds_like ?? []

  async function save(next: string[], success?: string) {
    await saveAll({ ...store.keywords, [category]: next }, success)
  }

  async function toggleSimilar(word: string) {
    const others = similar.filter((other) => other !== word)
    await saveAll({ ...store.keywords, sounds_like: similar.includes(word) ? others : [...others, word] })
  }

  async function saveAll(keywords: Keywords, success?: string) {
    const problem = await store.save(keywords)
    if (problem) toastError(problem)
    else if (success) toastSuccess(success, { durationMs: keywordToastMs })
  }

  return (
    <Panel title={name} note={<Text c="dimmed">{formatNumber(words.length)}</Text>}>
      <AddForm
        words={words}
        name={name}
        onAdd={(next, count) => void save(next, t('Added {count, number} keyword(s) to {name}', { count, name }))}
      />
      {words.length === 0 ? (
        <Notice
          title={t('No keywords added yet')}
          action={
            defaultKeywords[category].length > 0 && (
              <Button variant="default" onClick={() => void save(defaultKeywords[category])}>
                {t('Start from the built-in list')}
              </Button>
            )
          }
        >
          {t(
            'While all four lists are empty, the analysis uses built-in lists in English, Pashto, Urdu, Persian, Dari and Arabic.',
          )}
        </Notice>
      ) : (
        <Group component="ul" gap="xs" align="stretch" aria-label={t('Keywords: {name}', { name })}>
          {words.map((word) => (
            <li key={word}>
              <KeywordChip
                word={word}
                category={category}
                isSimilar={similar.includes(word)}
                onToggleSimilar={canSoundLike(word) ? () => void toggleSimilar(word) : undefined}
                onRemove={() => void save(words.filter((other) => other !== word))}
              />
            </li>
          ))}
        </Group>
      )}
      {words.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t(
            'With the ear a keyword is also found where a word sounds like it: one letter may differ in words of 4 to 6 letters, two in longer ones; a name is found in its other spellings, in Arabic script and in Latin. Expect some false alarms.',
          )}
        </Text>
      )}
    </Panel>
  )
}

interface AddFormProps {
  words: string[]
  name: string
  onAdd: (next: string[], count: number) => void
}

/** A form that shows what will be added before Enter is pressed. */
function AddForm({ words, name, onAdd }: AddFormProps) {
  const form = useForm({ initialValues: { typed: '' } })
  const { typed } = form.values
  const addition = addKeywords(words, typed)

  function add() {
    if (addition.added.length > 0) {
      onAdd(addition.keywords, addition.added.length)
      form.reset()
    } else if (addition.duplicates.length > 0) {
      toastInfo(t('Keywords already exist in this category'))
    }
  }

  return (
    <Form onSubmit={form.onSubmit(add)} gap={6} mb="md">
      <TextInput
        aria-label={t('Add keywords to {name}', { name })}
        placeholder={t('One or several, parted by commas')}
        className={classes.addInput}
        {...form.getInputProps('typed')}
        rightSection={
          <IconButton label={t('Add')} type="submit" variant="filled" color="accent" size="sm">
            <IconPlus size={16} stroke={2} />
          </IconButton>
        }
      />
      <Text size="sm" c="dimmed" aria-live="polite" mih={22}>
        {preview(typed, addition)}
      </Text>
    </Form>
  )
}

function preview(typed: string, { added, duplicates, tooLong }: ReturnType<typeof addKeywords>): string {
  if (!typed.trim()) return t('Enter adds what you typed. Each keyword is shorter than 30 characters.')
  const sentences = [
    added.length > 0 ? t('Will add: {keywords}.', { keywords: added.join(comma) }) : t('Nothing to add.'),
  ]
  if (duplicates.length > 0) sentences.push(t('Already there: {keywords}.', { keywords: duplicates.join(comma) }))
  if (tooLong.length > 0) {
    sentences.push(t('Too long, 30 characters or more: {keywords}.', { keywords: tooLong.map(shorten).join(comma) }))
  }
  return sentences.join(' ')
}

function shorten(keyword: string): string {
  return keyword.length > 40 ? `${keyword.slice(0, 40)}…` : keyword
}
