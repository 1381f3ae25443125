import { memo } from 'react'
import type { ReportFact } from '#contract/formats/report-facts.ts'
import type { ReportText } from '#contract/formats/report-text.ts'
import type { ReportRow, TranscriptReport } from '#contract/formats/report.ts'
import { clock } from '#contract/formats/time.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { comma } from '../../../shared/format.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './report-view.module.css'

/** A transcript as a document on white paper, whatever the color scheme. */
export const ReportView = memo(function ReportView({ report }: { report: TranscriptReport }) {
  const { title, templateTexts, cautions, facts, rows, targetLanguage, wholeTranslation, notes } = report
  return (
    <main className={`awaz-paper ${classes.paper}`}>
      <h1 className={classes.title} dir={templateTexts.heading?.direction}>
        {templateTexts.heading ? <Line text={templateTexts.heading} /> : <Isolated>{title}</Isolated>}
      </h1>
      {templateTexts.hasName && (
        <p className={classes.name} dir={templateTexts.heading?.direction}>
          <Isolated>{title}</Isolated>
        </p>
      )}
      <TemplateText texts={templateTexts.introduction} />
      {cautions.map((sentence, index) => (
        <p key={index}>{t('Please note: {sentence}', { sentence: translateSentence(sentence) })}</p>
      ))}
      <h2>{t('Conversation')}</h2>
      <Legend report={report} />
      {rows.length === 0 ? <p>{t('No speech was found.')}</p> : <Lines report={report} />}
      {wholeTranslation.length > 0 && (
        <>
          <h2>{t('Translation ({language})', { language: targetLanguage?.name ?? '' })}</h2>
          {wholeTranslation.map((text, index) => (
            <Text key={index} text={text} />
          ))}
        </>
      )}
      {notes.length > 0 && (
        <>
          <h2>{t('Notes')}</h2>
          <Notes notes={notes} />
        </>
      )}
      <TemplateText texts={templateTexts.closing} />
      {facts.length > 0 && (
        <>
          <h2>{t('About this transcript')}</h2>
          <Facts facts={facts} />
        </>
      )}
    </main>
  )
})

/** A text of a template; its blank lines leave space, such as for a signature. */
function TemplateText({ texts }: { texts: ReportText[] }) {
  if (texts.length === 0) return null
  return (
    <div className={classes.templateText}>
      {texts.map((text, index) => (
        <p key={index} dir={text.direction}>
          <Line text={text} />
        </p>
      ))}
    </div>
  )
}

/** A line of a template in the direction of its first letter. */
function Line({ text: { pieces, direction } }: { text: ReportText }) {
  return <bdi dir={direction}>{pieces.map(({ text }) => text).join('')}</bdi>
}

function Facts({ facts }: { facts: ReportFact[] }) {
  return (
    <table className={classes.facts}>
      <tbody>
        {facts.map(({ label, lines }, factIndex) => (
          <tr key={factIndex}>
            <th scope="row">{label}</th>
            <td>
              {lines.map((line, index) => (
                <div key={index}>{line}</div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Legend({ report: { categories, hasUncertainWords, hasEditedLines } }: { report: TranscriptReport }) {
  if (categories.length === 0 && !hasUncertainWords && !hasEditedLines) return null
  return (
    <ul className={classes.legend} aria-label={t('Marks')}>
      {categories.map((category) => (
        <li key={category}>
          <CategoryIcon category={category} size={14} />
          <mark className={classes.hit} data-category={category}>
            {keywordCategoryNames[category].name}
          </mark>
        </li>
      ))}
      {hasUncertainWords && (
        <li>
          <span className={classes.uncertain}>{t('uncertain')}</span>
        </li>
      )}
      {hasEditedLines && (
        <li>
          <span className={classes.edited}>{t('edited: changed by a person')}</span>
        </li>
      )}
    </ul>
  )
}

function Lines({ report: { rows, languages, targetLanguage, wholeTranslation } }: { report: TranscriptReport }) {
  const hasTranslation = targetLanguage !== null && wholeTranslation.length === 0
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">
            {languages.length > 0 ? t('Original ({languages})', { languages: languages.join(comma) }) : t('Original')}
          </th>
          {hasTranslation && <th scope="col">{t('Translation ({language})', { language: targetLanguage.name })}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <td>
              <p className={classes.meta} dir={row.original.direction} data-voice={(row.voice ?? 0) % 8}>
                <time>{clock(row.startMs)}</time>
                {row.speaker !== null && <Isolated className={classes.speaker}>{row.speaker}</Isolated>}
                {row.isEdited && <span className={classes.edited}>{t('edited')}</span>}
              </p>
              <Text text={row.original} isQuiet={row.isGap} />
            </td>
            {hasTranslation && <td className={classes.translation}>{!row.isGap && <Translation row={row} />}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Translation({ row: { translation, translationError, isTranslationStale } }: { row: ReportRow }) {
  if (!translation) {
    const reason =
      translationError === null ? t('No translation available') : t('Error: {translationError}', { translationError })
    return <p className={classes.remark}>{reason}</p>
  }
  return (
    <>
      <Text text={translation} />
      {isTranslationStale && <p className={classes.remark}>{t('Translated before the line was edited')}</p>}
    </>
  )
}

function Notes({ notes }: Pick<TranscriptReport, 'notes'>) {
  return (
    <table className={classes.facts}>
      <tbody>
        {notes.map(({ timeMs, text, quote }, index) => (
          <tr key={index}>
            <th scope="row">
              <time>{clock(timeMs)}</time>
            </th>
            <td>
              {text.pieces.length === 0 ? (
                <span className={classes.remark}>{quote ? t('Flag') : t('Bookmark')}</span>
              ) : (
                <Text text={text} />
              )}
              {quote && <Text text={quote} isQuiet />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Text({ text: { pieces, language, direction }, isQuiet = false }: { text: ReportText; isQuiet?: boolean }) {
  return (
    <p
      className={classes.text}
      dir={direction}
      {...(language !== null && { lang: language })}
      data-quiet={isQuiet || undefined}
    >
      {pieces.map(({ text, category, isUncertain }, index) => {
        const shown = isUncertain ? <span className={classes.uncertain}>{text}</span> : text
        if (!category) return <span key={index}>{shown}</span>
        return (
          <mark key={index} className={classes.hit} data-category={category}>
            {shown}
          </mark>
        )
      })}
    </p>
  )
}
