import { SpokenLanguagePickers } from '../languages/spoken-language-pickers.tsx'
import { LikelyNamesField } from './likely-names-field.tsx'
import { ModelPicker } from './model-picker.tsx'
import { SpeakerOptions } from './speaker-options.tsx'
import type { TranscriptionChoice } from './transcription-choice.ts'
import classes from './transcription-form.module.css'

interface TranscriptionFormProps {
  choice: TranscriptionChoice
  onChange: (choice: TranscriptionChoice) => void
  names: string[]
  onNamesChange: (names: string[]) => void
  isStereo: boolean
}

/** What a transcription is asked for: languages, model, speakers and names. */
export function TranscriptionForm({ choice, onChange, names, onNamesChange, isStereo }: TranscriptionFormProps) {
  return (
    <div className={classes.form}>
      <SpokenLanguagePickers
        selected={choice.languages}
        onSelect={(languages) => onChange({ ...choice, languages })}
        isStereo={isStereo}
      />
      <ModelPicker
        model={choice.model}
        onChange={(model) => onChange({ ...choice, model })}
        languages={choice.languages}
      />
      <div className={classes.options}>
        <LikelyNamesField names={names} onChange={onNamesChange} />
        <SpeakerOptions
          settings={choice.speakers}
          onChange={(speakers) => onChange({ ...choice, speakers })}
          isStereo={isStereo}
        />
      </div>
    </div>
  )
}
