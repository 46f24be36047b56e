/** Given names that are common where our languages are spoken, as recognisers write them: without accents, in lower case. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaron abby abdul abigail adam adriana adrian agnes ahmed aisha alan albert alejandra alejandro alex alexa alexander alexandra alfonso alfred ali alice alicia alina alison allison alyssa amanda amelia amelie amir amit amy ana anders andre andrea andreas andres andrew angela angelica anita anja anjali ann anna annabelle anne annette annie anthony anton antoine antonio anya april archie ariana arjun arthur asha ashley astrid aurelie ava axel
barbara beatrice beatriz ben benjamin bernard bernd beth bethany betty beverly birgit bjorn bob bobby brad bradley brandon brenda brian bridget brittany bruce bruno bryan
caitlin caleb cameron camila camille carl carla carlos carmen carol carolina caroline carolyn catherine cathy cecilia celine chad charles charlie charlotte chelsea chen chiara chloe chris christian christina christine christoph christopher cindy claire clara claudia claudio clement colin connor corinne courtney craig cristina curtis cynthia
daisuke dale damian dan dana daniel daniela danielle danny darren dave david deborah debbie deepak delphine denise dennis derek desiree diana diane diego dieter dietmar dirk dolores dominic dominique donald donna dorothy doug douglas duncan dylan
eduardo edward eileen elaine eleanor elena eli elias elisa elise elizabeth ella ellen ellie elsa emanuel emilia emilie emily emma enrique eric erica erik erika erin ernesto ernst esteban esther ethan eugene eva evan evelyn
fabian fatima felicia felipe felix fernanda fernando fiona florence florian francesca francesco francisco franz fred frederic frederick frida friedrich
gabriel gabriela gareth gary gavin geoffrey george georgia gerald gerhard gina giovanni giulia gloria gonzalo gordon grace graham greg gregory greta guido guillaume guillermo gustavo guy
hannah hans harald harold harry hassan heather hector heidi heike heinz helen helena helene helga helmut henri henrik henry hiroshi holger holly howard hugo
ian ibrahim ignacio imran ines ingrid irene iris isaac isabel isabella isabelle ivan
jack jackie jacob jacqueline jacques jaime jake james jamie jan jane janet janice jared jasmine jason javier jay jean jeanette jeff jeffrey jenna jennifer jenny jeremy jerome jerry jesse jessica jesus jill jim jimmy joan joanna joanne joaquin jochen joe joel johann johannes john johnny jon jonas jonathan jordi jorge jose joseph josephine josh joshua joyce juan juana juanita judith judy julia julian juliana julie julien juliette julio jurgen justin
kai karen karim karin karl karla kate katharina katherine kathleen kathrin kathy katie katrina kavita kayla keith kelly kelsey ken kenneth kenji kerry kevin khalid kim kimberly kirsten klaus kristen kristin kristina kumar kurt kyle
lars laura lauren laurent laurie lawrence lea leah lena leo leon leonard leonie leslie leticia lewis li liam lillian linda lindsay lisa liz lorena lorenzo loretta lori lorraine lothar louis louise luca lucas lucia lucie lucy luis luisa lukas luke lydia lynn
mackenzie madeleine madison magdalena maggie mahmoud malcolm manfred manuel manuela marc marcel marcela marcia marco marcos marcus margaret margarita maria mariana marianne marie marilyn marina mario marion marjorie markus marlene marta martha martin martina marvin mary mateo mathieu mathilde matt matthew matthias maureen maurice max maxime maya megan mehmet melanie melinda melissa mercedes mia michael michaela michel michele michelle miguel mike mikhail mila mildred millie miranda miriam mitchell mohamed mohammed moises molly monica monika morgane moritz moses muhammad mustafa
nadia nadine nancy naomi natalia natalie natasha nathalie nathan neha neil nelson nicholas nick nicola nicolas nicole nigel nikhil nina nora norbert norma norman
oliver olivia olga omar oscar otto owen
pablo paige pam pamela paolo pascal patricia patrick paul paula pauline pedro peggy penny peter petra phil philip philipp philippe phillip phyllis pierre pilar piotr pooja priya
rachel rafael rahul raj rajesh ralf ralph ramon ramona randy raquel ravi raymond rebecca regina reinhard renate rene rhonda ricardo richard rick rita rob robert roberta roberto robin rocio rodney rodrigo roger rohan roland rolf romain ron ronald rosa rosemary ross roxanne roy ruben rudolf russell ruth ryan
sabine sabrina sally salvador sam samantha samir samuel sandeep sandra sanjay santiago sara sarah sascha saskia scott sean sebastian serge sergio seth shane shannon sharon shaun shawn sheila shelly sherry shirley sierra silke silvia simon simone sofia sonia sonja sophia sophie stacy stan stanley stefan stefanie stella stephan stephanie stephen steve steven stuart sunil susan susana susanne suzanne svenja svetlana sven sylvia sylvie
tamara tammy tanja tanya tara tatiana teresa terry thea theo theodore theresa therese thierry thomas thorsten tiffany tim timothy tina tobias todd tom tomas tommy toni tony tracy travis trevor troy tyler
udo ulrich ulrike ursula uwe
valentina valeria valerie vanessa vera veronica veronika vicky victor victoria vijay vikram vincent virginia vivian vladimir
walter wanda wayne wendy werner wilhelm wilma wolfgang
xavier ximena yasmin yolanda yuki yusuf yves yvette yvonne zachary zara zoe`.split(/\s+/),
);

/** Names that are words too: taken for a name only where they stand as one. */
export const WORDS_TOO: ReadonlySet<string> = new Set(
  'will may mark bill rose grace hope faith joy summer april june august frank grant chase drew dean jack art ray rich sue pat dawn eve ivy lily daisy violet ruby pearl amber crystal angel king young long green brown white black gray grey stone wood woods hill field park west north east south day moon cook baker price cash love good best bell rice page banks bush ford lane street house church early miles major carter mason taylor fisher hunter cole penny robin sandy holly jay guy bob gene dale glen olive scarlet sage sky star rain sunny rusty cliff rock forest river brook reed heath max al ed jo bo li an so do no in on at go my de la le gut klein lang kurz alt neu wolf stern koch berg bach feld winter sommer herr frau rey sol luz paz mar campo blanco mercedes dolores jesus virginia victoria florence chelsea madison sierra georgia jordan sydney charlotte austin houston dallas paris london berlin'.split(
    ' ',
  ),
);
