import { Group } from '@mantine/core'
import { useId, type CSSProperties } from 'react'
import { caseColours, type CaseColour } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import classes from './colour-field.module.css'
import { colourNames } from '../../shared/cases/describe-case.ts'

/** The colours of cases as a group of radio buttons. */
export function ColourField({ value, onChange }: { value: CaseColour; onChange: (colour: CaseColour) => void }) {
  const name = useId()
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>{t('Colour')}</legend>
      <Group gap="xs" align="stretch">
        {caseColours.map((colour) => (
          <label
            key={colour}
            className={classes.colour}
            style={{ '--case': `var(--awaz-case-${colour})` } as CSSProperties}
            title={colourNames[colour]}
          >
            <input
              type="radio"
              className={classes.input}
              name={name}
              value={colour}
              checked={colour === value}
              onChange={() => onChange(colour)}
              aria-label={colourNames[colour]}
            />
          </label>
        ))}
      </Group>
    </fieldset>
  )
}
