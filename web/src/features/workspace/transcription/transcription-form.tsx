import { SpokenLanguagePickers } from '../languages/spoken-language-pickers.tsx'
import { LikelyNamesField } from './likely-names-field.tsx'
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

/** What a transcription is asked for: languages, speakers and names. */
export function TranscriptionForm({ choice, onChange, names, onNamesChange, isStereo }: TranscriptionFormProps) {
  return (
    <div className={classes.form}>
      <SpokenLanguagePickers
        selected={choice.languages}
        onSelect={(languages) => onChange({ ...choice, languages })}
        isStereo={isStereo}
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
