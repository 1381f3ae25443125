import { Select, Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { InstalledSpeechModel } from '#contract/versions.ts'
import { SpokenLanguagePickers } from '../languages/spoken-language-pickers.tsx'
import { languageName, useLanguages } from '../../../shared/recordings/languages.ts'
import { sameLanguage, type SelectedLanguages } from '../languages/selected-languages.ts'
import type { TranscriptionChoice } from '../state/work-context.ts'
import { LikelyNamesField } from './likely-names-field.tsx'
import { SpeakerOptions } from './speaker-options.tsx'

interface ModelPickerProps {
  /** Id of a speech model; null: the one that is set for each language. */
  model: string | null
  onChange: (model: string | null) => void
  languages: SelectedLanguages
}

const asSet = 'as-set'

/** Picker of the speech model where several are installed; nothing where there is no choice. */
function ModelPicker({ model, onChange, languages }: ModelPickerProps) {
  const { models } = useLanguages()
  if (models.length < 2) return null
  const wanted = [languages.language, languages.rightLanguage].filter((code) => code !== sameLanguage)
  const chosen = models.find(({ id }) => id === model)
  return (
    <Select
      label={t('Speech Model')}
      error={chosen && reasonAgainst(chosen, wanted)}
      data={[
        { value: asSet, label: t('As set for each language') },
        ...models.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={chosen ? chosen.id : asSet}
      onChange={(value) => onChange(value === asSet ? null : value)}
    />
  )
}

/** Returns why a model cannot transcribe in the languages; undefined where it can. */
function reasonAgainst({ languages, detects_languages }: InstalledSpeechModel, wanted: string[]): string | undefined {
  const isDetected = (code: string) => code === 'auto' || code === 'multi'
  if (!detects_languages && wanted.some(isDetected)) return t('This model cannot detect languages.')
  const unknown = wanted.find((code) => !isDetected(code) && !languages.includes(code))
  return unknown && t('This model does not know {language}.', { language: languageName(unknown) })
}

interface TranscriptionFormProps {
  choice: TranscriptionChoice
  onChange: (choice: TranscriptionChoice) => void
  names: string[]
  onNamesChange: (names: string[]) => void
  /** Those of the recording; `any` of many recordings, which have one or two. */
  channels: 'one' | 'two' | 'any'
}

/** For which numbers of channels the speakers are asked for. */
const shownOptions = { one: [false], two: [true], any: [false, true] }

/** What a transcription is asked for: languages, model, speakers and names. */
export function TranscriptionForm({ choice, onChange, names, onNamesChange, channels }: TranscriptionFormProps) {
  return (
    <Stack w="100%" ta="start">
      <SpokenLanguagePickers
        selected={choice.languages}
        onSelect={(languages) => onChange({ ...choice, languages })}
        isStereo={channels !== 'one'}
      />
      <ModelPicker
        model={choice.model}
        onChange={(model) => onChange({ ...choice, model })}
        languages={choice.languages}
      />
      <Stack gap="xs" align="flex-start">
        <LikelyNamesField names={names} onChange={onNamesChange} />
        {shownOptions[channels].map((isStereo) => (
          <SpeakerOptions
            key={String(isStereo)}
            settings={choice.speakers}
            onChange={(speakers) => onChange({ ...choice, speakers })}
            isStereo={isStereo}
          />
        ))}
      </Stack>
    </Stack>
  )
}
