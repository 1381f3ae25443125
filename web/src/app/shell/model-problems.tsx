import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatList } from '../../shared/format.ts'
import { languageName, useLanguages } from '../../shared/recordings/languages.ts'
import classes from './shell.module.css'

/** Tells administrators which languages are unavailable because a model cannot be used, and why. */
export function ModelProblems({ canManage }: { canManage: boolean }) {
  const models = useLanguages().features?.models ?? []
  const broken = models.filter(({ problem }) => problem !== null)
  if (broken.length === 0) return null
  return (
    <div className={classes.problems} role="status">
      <ul>
        {broken.map((model) => (
          <li key={`${model.kind} ${model.id} ${model.languages.join()} ${model.pairs.join()}`}>
            {describeLoss(model)}: {model.problem}
          </li>
        ))}
      </ul>
      {canManage && (
        <Anchor component={Link} to="/admin/system/models" size="sm">
          {t('Models')}
        </Anchor>
      )}
    </div>
  )
}

function describeLoss({ kind, languages, pairs }: ModelHealth): string {
  if (kind === 'speech' && languages.length > 0)
    return t('No transcription of {languages}', { languages: formatList(languages.map(languageName)) })
  if (kind === 'speech') return t('No transcription')
  if (pairs.length > 0) return t('No translation {pairs}', { pairs: pairs.map(describePair).join(comma) })
  return t('No translation')
}

function describePair(pair: string): string {
  const [source = '', target = ''] = pair.split('-')
  return t('from {source} to {target}', { source: languageName(source), target: languageName(target) })
}
