import { fold } from './words.ts'

/** Frequent words of languages that share a script, folded as by wordsOf; they reveal the language of a line. */
const lists: Record<string, string> = {
  en:
    'the a an and or but is are was were be been am do does did have has had will would can could should not no yes i you he she it we they me him ' +
    'her us them my your his our their this that these those what when where who how why to of in on at for with from by about there here ' +
    'good morning evening hello thanks thank please sorry okay very just going come came go went get know tell said say today tomorrow yesterday ' +
    'brother father mother now then time out up down because if so than more some all any only also its im dont',
  de:
    'der die das ein eine einen einem einer und oder aber ist sind war waren sein bin nicht kein keine nein ja ich du er sie es wir ihr mich dich ' +
    'ihn uns euch mein meine dein sein seine unser was wann wo wer wie warum zu von im am um auf für mit aus bei uber dort hier guten morgen danke ' +
    'bitte heute gestern sehr nur auch noch schon wird werden haben hat habe hatte kann konnen muss dass wenn weil nach vor den dem des zum zur bruder',
  fr:
    'le la les un une des du de et ou mais est sont etait etre suis ne pas non oui je tu il elle nous vous ils elles me te se mon ma mes ton ta ' +
    'son sa notre votre ce cette ces que qui quand ou comment pourquoi dans sur pour avec par chez bonjour merci demain hier tres aussi plus aux au en ' +
    'avons avez ont ai as frere aujourd hui',
  es:
    'el la los las un una unos de y o pero es son era ser soy estoy esta esto no si yo tu ella nosotros ellos me te se mi mis tu su sus nuestro ' +
    'que cuando donde quien como por para con en al del buenos dias gracias hoy manana ayer muy tambien mas hay tengo tiene hermano porque',
  it:
    'il lo la i gli le un uno una e o ma sono era essere sei non no si io tu lui lei noi voi loro mi ti ci mio mia tuo suo nostro che quando dove ' +
    'chi come perche di del della da in nel con su per grazie oggi domani ieri molto anche piu ho hai ha abbiamo fratello questo questa',
  pt:
    'o a os as um uma e ou mas é sao era ser estou está nao sim eu tu ele ela nós eles me te se meu minha seu sua nosso que quando onde quem como ' +
    'por para com em no na do da dos das obrigado hoje amanha ontem muito tambem mais tem tenho irmao isto esse',
  nl:
    'de het een en of maar is zijn was waren ben niet geen nee ja ik jij je hij zij ze wij we jullie mij hem ons mijn jouw haar onze wat wanneer waar ' +
    'wie hoe waarom van in op aan voor met uit bij daar hier goedemorgen dank vandaag morgen gisteren heel ook nog wel heb hebt heeft kan moet dat als naar broer',
  tr:
    'bir ve veya ama degil var yok evet hayır ben sen o biz siz onlar benim senin bu su ne zaman nerede kim nasıl neden icin ile cok da de gibi daha ' +
    'bugun yarın dun gunaydın tesekkurler kardesim geldi gidiyorum mi misin',
  id:
    'yang dan atau tetapi adalah tidak bukan ya saya aku kamu dia kami kita mereka ini itu apa kapan dimana siapa bagaimana mengapa di ke dari untuk dengan ' +
    'pada akan sudah belum bisa hari selamat terima kasih sangat juga ada saudara',
  sv:
    'och eller men ar var inte ingen nej ja jag du han hon det den vi ni de mig dig honom oss min din sin var vad nar vem hur varfor till av i pa for med ' +
    'fran tack idag imorgon mycket ocksa har hade kan ska som en ett bror',
  pl:
    'i lub ale jest sa byl nie tak ja ty on ona ono my wy oni mnie mi moj twoj jego nasz co kiedy gdzie kto jak dlaczego do z w na o za od dzien dobry ' +
    'dziekuje dzis jutro wczoraj bardzo tez juz sie ze to ma mam brat',
  ro:
    'si sau dar este sunt era nu da eu tu el ea noi voi ei meu mea tau sau nostru ce cand unde cine cum de la in pe cu pentru din buna multumesc azi maine ' +
    'ieri foarte mai am are fratele care',
  ps:
    'دی ده دي په ته چې زه یم او سره پر دا نه به هم مې یې زما نن سبا شو مه څه څنګه چېرته څوک ولې یو کې له نو دلته هلته هو تاسو موږ دوی هغه ستا کوم وي شته ' +
    'وه وم راغلی ځم کړي کړه شوی پوه مننه ښه کور ورور پلار مور',
  ur:
    'ہے ہیں میں کی کا کے کو سے اور پر یہ وہ نہیں ہم آج کل خوش مت نے تھا تھی تھے ہو ہوں کیا کہاں کون کیسے کیوں جی ہاں آپ تم میرا میری تمہارا اس ان بھی ابھی ' +
    'گے گا گی رہا رہی رہے تو لیے ایک بھائی شکریہ اچھا',
  fa:
    'است را این که از به در من ما هستم می نمی با برای آن شما خواهیم امروز فردا امشب کن تو او ده چه ولی چرا کجاست هست نیست بود شد شده یک هم تا اما اگر ' +
    'کجا چطور چی خوب خوبم ممنون مرسی برادر برادرم پدرم دارم داریم رفت آمد کرد کرده کنم گفت باید دیگر نه خوش کل بله پسر دختر خانه الان بعد آنها هستید هستند ها های',
  ar:
    'في من على الى انا هذا هذه لا ما يا اين هو هي مع عن كان قد غدا شكرا ان لم لن كيف متى لماذا نعم نحن انت هم كل بعد قبل عند اذا ولكن الذي التي هناك هنا ' +
    'اليوم امس اخي ابي سوف ليس كانت يكون بين او ثم حتى',
}

const sets = new Map(Object.entries(lists).map(([language, list]) => [language, new Set(fold(list).split(' '))]))

/** The languages that have a list. */
export const listedLanguages = [...sets.keys()]

export function isFrequent(word: string, language: string): boolean {
  return sets.get(language)?.has(word) ?? false
}

/** Counts the words that are frequent in `language` and not in `other`. */
export function countFrequent(words: string[], language: string, other: string): number {
  return words.filter((word) => isFrequent(word, language) && !isFrequent(word, other)).length
}

export function hasList(language: string): boolean {
  return sets.has(language)
}
