import { Menu } from '@mantine/core'
import { doubtChoices, type DoubtChoice } from '#contract/formats/lines.ts'
import { t } from '#contract/texts/t.ts'
import type { ExportOptions } from './export-options.ts'
import { doubtLabels } from './report-templates.ts'

interface ExportChoicesProps {
  options: ExportOptions
  onChange: (part: Partial<ExportOptions>) => void
  /** The language of the translation; null without one. */
  target: string | null
  /** Whether the transcript says which words are uncertain. */
  hasDoubt: boolean
}

/** The part of the menu that chooses what files contain. */
export function ExportChoices({ options, onChange, target, hasDoubt }: ExportChoicesProps) {
  return (
    <>
      <Menu.Label>{t('Include')}</Menu.Label>
      {target !== null && (
        <Menu.CheckboxItem
          checked={options.hasTranslation}
          onChange={(hasTranslation) => onChange({ hasTranslation })}
          closeMenuOnClick={false}
        >
          {t('Translation to {target}', { target })}
        </Menu.CheckboxItem>
      )}
      <Menu.CheckboxItem
        checked={options.hasHits}
        onChange={(hasHits) => onChange({ hasHits })}
        closeMenuOnClick={false}
      >
        {t('Keywords marked')}
      </Menu.CheckboxItem>
      <Menu.CheckboxItem
        checked={options.hasNotes}
        onChange={(hasNotes) => onChange({ hasNotes })}
        closeMenuOnClick={false}
      >
        {t('Notes')}
      </Menu.CheckboxItem>
      <Menu.CheckboxItem
        checked={options.hasFacts}
        onChange={(hasFacts) => onChange({ hasFacts })}
        closeMenuOnClick={false}
      >
        {t('Technical data')}
      </Menu.CheckboxItem>
      {hasDoubt && (
        <>
          <Menu.Label>{t('Uncertain words')}</Menu.Label>
          <Menu.RadioGroup value={options.doubt} onChange={(value) => onChange({ doubt: toDoubt(value) })}>
            {doubtChoices.map((choice) => (
              <Menu.RadioItem key={choice} value={choice} closeMenuOnClick={false}>
                {doubtLabels[choice]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </>
      )}
    </>
  )
}

function toDoubt(value: string): DoubtChoice {
  return doubtChoices.find((choice) => choice === value) ?? 'none'
}
