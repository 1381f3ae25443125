import { SegmentedControl, Select, Text } from '@mantine/core'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { formatDate, formatNumber } from '../../shared/format.ts'
import { chooseLanguage, languageChoices } from '../../shared/texts/choose-language.ts'
import {
  readDisplay,
  storeDisplay,
  type Calendar,
  type Digits,
  type DisplayChoices,
} from '../../shared/texts/locale.ts'
import { SettingRow } from './setting-row.tsx'

const calendarChoices: { value: Calendar; label: string }[] = [
  { value: 'gregory', label: t('Gregorian') },
  { value: 'persian', label: t('Solar Hijri (Jalali)') },
  { value: 'islamic-umalqura', label: t('Lunar Hijri (Umm al-Qura)') },
]
const digitChoices: { value: Digits; label: string }[] = [
  { value: 'native', label: t('As the language has them') },
  { value: 'latin', label: '0123456789' },
]

/** The day on which the page was loaded, in the current date format. */
const today = formatDate(new Date().toISOString())

/** The language of the interface, and its format of dates and figures. Each choice reloads the page. */
export function LanguageSettings() {
  const language = currentLanguage()
  const display = readDisplay()

  function choose(choices: Partial<DisplayChoices>) {
    storeDisplay({ ...display, ...choices })
    location.reload()
  }

  return (
    <>
      <SettingRow
        label={t('Language')}
        isStacked
        id="language"
        help={t('Of the interface. Languages of recordings and translations are chosen with each of them.')}
        notice={
          interfaceLanguages[language].isMachineWritten && (
            <Text size="sm" c="dimmed">
              {t(
                'Written by a machine: no speaker of the language has read these texts yet. An administrator can correct them.',
              )}
            </Text>
          )
        }
      >
        <Select
          data={languageChoices}
          value={language}
          aria-labelledby="language"
          onChange={(chosen) => chosen && chosen !== language && chooseLanguage(chosen)}
        />
      </SettingRow>
      <SettingRow label={t('Calendar')} isStacked id="calendar" help={t('Today is {date}.', { date: today })}>
        <Select
          data={calendarChoices}
          value={display.calendar}
          aria-labelledby="calendar"
          onChange={(calendar) => calendar && choose({ calendar })}
        />
      </SettingRow>
      {language !== 'en' && (
        <SettingRow
          label={t('Digits')}
          isStacked
          id="digits"
          help={t('Of dates and figures, such as {number}.', { number: formatNumber(1405) })}
        >
          <SegmentedControl
            data={digitChoices}
            value={display.digits}
            aria-labelledby="digits"
            onChange={(digits) => choose({ digits })}
          />
        </SettingRow>
      )}
    </>
  )
}
