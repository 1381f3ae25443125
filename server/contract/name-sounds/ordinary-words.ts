import { foldKeyword } from '../keywords/fold.ts'

/**
 * Words so frequent in conversation that they are never taken for another spelling of a name, nor looked for in other spellings:
 * without this, Ali would be found in Arabic إلى and Amin in Urdu میں. By language; chosen as the commonest words of speech and news.
 */
const words = {
  en: `a about above after again against ago air all almost alone along already also although always am among an and another any are area
    around as ask asked at away back bad be became because become been before began behind being believe best better between big black
    both boy bring but buy by call called came can car care case cause chairman change child children city claim close come company could
    country course crime cut day days death did die different do does done door down due during each early eat end enough even ever every
    face fact family far father feel few find fire fired first five food for form found four free friend from full game gave get girl give
    go going gone good got great group had half hand hard has have he head hear heard help her here high him his home hope hour house how
    however i if important in into is issue it its job june just keep kept kid kind knew know lab large last late later law lay lead least
    leave led left less let life like line little live local long look lose lost lot love low made mail main make male man many march
    market matter may me mean meet men might mile million mind mine miss mock moment money month months more morning most mother move much
    must my name near need never new news next night no north not nothing now number of off offer offered often oh okay old on once one
    only open or order other our out over own paid part party past pay people per person place plan play point police poor power price
    problem public put question quite ran rate rather read ready real really reason red rest result ride right road room run said sale
    same saw say says school sea season second see seen sell send set seven several shall she short should show side since sir sister sit
    six small so some son soon south speak staff star start state stay still stop store story street strong such summer sure system take
    talk team tell ten than thank that the their them then there these they thing things think third this those though thought three
    through time to today together told too took top town track tried true try turn two under until up us use used very voice wait walk
    want war was watch water way we week well went were west what when where which while white who whole why wife will win with within
    without woman women word work world would year years yes yesterday yet you young your`,
  fa: `از اما این آن اند است اگر ای با باید بار باز باشد بالا بر برای بعد بعدی بعضی بلکه بله بود بودن بودند به بهتر بی بیش بیشتر بین پس پول
    پیش تا تر تمام تو تواند جا جاده جای جدید جز چرا چند چه چون چیز حال حالا حتی حدود خانه خب خود خوب خیلی داد داده دادن دارد دارم دارند
    داریم داشت داشته در درباره دست دو دولت دوم دهد دیگر را راه رفت رفته روز روی زدن زمان زن زیاد زیر سال سالم سر سه شب شد شدن شده شما شود
    طریق علیه عالی عدم عرض عمل فرض فصل قبل قابل قهرمان کار کامل کاملا کجا کرد کردن کرده کردند کس کسی کم کن کند کنم کنند کنید که کی گفت گفته
    ما مادر ماه مثل مرا مرد مردم معنی ملی من مورد می میان میزان میشد میشود میکند نام نباید نخست نداد ندارد نظر نفر نمی نه نیز نیست نیم و وجود
    وقت ولی ها هر هم همه همین هنوز هیچ یا یک یکی`,
  ps: `او اوس اول ای په پر پرته پسې پکې پورې تر تاسو تاسې ته ترڅو تل جوړ چا چې چیرته څخه څه څو څوک خپل خپله خبره خلک خو ځان ځای ځکه ځینې د دا
    داسې دغه دلته دوه دې دی دوی ده ډېر راځي سره سبا سم شوه شوي شوی شي شته صرف کار کال کله کم کنه کوي کول کولو کړ کړه کړي کړل کړې کې کور لا
    لاره لاس لپاره لري لکه لور لور له لومړی مخ مخکې ملي مو موږ ننه نه نور نوم نو نوې نن وروسته وخت وه وو وي ول ولې ولس ووایه وویل هغه هغوی هم
    هر هره هیڅ هلته هو یا یې یم یو یوه یوځای زما زموږ زه ستا ستاسو`,
  ur: `آپ آج اب اس اسی اسے اگر اگلے ان انہوں انہیں انہی اور اوپر ایسا ایسی ایسے ایک بات باہر بار بارے بعد بغیر بن بنا بھی بہت بہتر بیان پر پاس پہلے
    پھر پیش تاکہ تب تک تھا تھی تھے تو تین جا جاتا جانا جب جس جن جو جیسے چار چاہیے چکا چلا حال دن دو دوران دوسرے دی دیا دیکھ دینے ذریعے رہا رہی
    رہے زیادہ ساتھ سال سب سر سکتا سکتے سے شخص صرف طرح طرف عام علاوہ عمل عملے غیر قبل کا کام کب کر کرتا کرتے کرنا کرنے کسی کم کو کوئی کون کہ کہا
    کہاں کہتے کی کیا کیسے کیونکہ کے گا گی گے گھر گئی گئے گیا لوگ لیکن لیے مدد مزید مگر میرا میری میرے میں نہ نہیں نے نیچے والا والی والے وقت وہ
    وہاں ہاں ہر ہم ہمارا ہماری ہمارے ہو ہوا ہوئے ہوتا ہوتے ہونے ہوں ہے ہیں یا یعنی یہ یہاں`,
  ar: `أبدا أجل أحد أخذ أخرى أسم أصبح أكثر أكد ألف إذا أمام أما أمر أمس أن أنا أنت أنه أنها أو أول أي أيضا إلا إلى إليه إليها إما إن إنه الآن الأمر الأمن
    الأول التي الذي الذين السيد السيدة الطريقة العام العمر اليوم اسم اسمه بأن بدأ بدا بدون بسبب بسرعة بشكل بصورة بعد بعض بل بن به بها بيد بين تحت ترك
    تكون تلك تم ثم جدا جديد جميع جهود جيد جيدة حال حتى حدود حرف حسب حفظ حكم حيث حين خلال دون ذلك رأي ربما رغم زال سوف سيكون شيء صوت ضد طريق طوال عام
    عدم عرض عشر عليه عليها عمل عن عند عندما غير فقط فوق في فيه فيها قال قالت قام قبل قد قليل قواعد كان كانت كثير كل كلام كما كم كن كنت كيف لا لأن لدى
    لعب لقد لكن لم لماذا لن له لها لو ليس ليست مثل مدن مرة مرر مزيد مساء مع معظم من منذ منح منع منه منها نحن نحو نعم نفس هذا هذه هل هم هنا هناك هو هي وفي
    وقال وقت وقد وكان ولا ولم ولن وهو وهي يا يجب يكون يمكن يوم`,
}

const ordinary = new Set(Object.values(words).flatMap((list) => list.split(/\s+/u).map((word) => foldKeyword(word))))

/** Returns whether a folded word is one of the commonest of its language. */
export function isOrdinaryWord(word: string): boolean {
  return ordinary.has(word)
}
