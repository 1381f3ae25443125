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
  /** The id of a speech model; null for the one configured for each language. */
  model: string | null
  onChange: (model: string | null) => void
  languages: SelectedLanguages
}

const asSet = 'as-set'

/** A picker for the speech model if several are installed; renders nothing if there is no choice. */
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

/** Returns why a model cannot transcribe the languages; undefined if it can. */
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
  /** The channels of the recording; `any` for many recordings, which have one or two. */
  channels: 'one' | 'two' | 'any'
}

/** For each number of channels, which speaker options are shown: mono, stereo or both. */
const shownOptions = { one: [false], two: [true], any: [false, true] }

/** The options of a transcription: languages, model, speakers and names. */
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
