import sys,glob
from collections import Counter
from pathlib import Path
sys.path.insert(0,'/work/wt/reading2')
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
from lvlmbench.stages.judge.kinds.lexical.wordnet import wordnet
from tests.support.labelled_captions import *
from lvlmbench.scene.vocabulary import load_vocabulary
import tests.support.labelled_captions as L
CONV={'right_of':'left_of','below':'above','behind':'in_front_of','smaller':'larger','farther':'nearer'}
people=None
def person(w): return w in PE
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
SP=lexicon().maps['lemmas.spelling']
PE=set(lexicon().says)|{'person','people'}
def group(c):
    if c.kind=='object': return 'objects'
    if c.kind in('garment','action') or (c.kind=='attribute' and c.subject in PE): return 'people'
    if c.kind in('attribute','count'): return 'attributes'
    if c.kind in('relation','place','rank'): return 'relations'
    return 'scene'
def key(c):
    sp=lambda x: x and ' '.join(SP.get(w,w) for w in x.split())
    s,r,o=sp(c.subject),c.relation,sp(c.object)
    if c.kind=='relation':
        if r in CONV: s,r,o=o,CONV[r],s
        elif r in('next_to','same_size') and o and o<s: s,o=o,s
    v=c.value
    if c.kind=='attribute': r=None; v=' '.join(SP.get(w,w) for w in (v or '').replace('-',' ').split())
    if c.kind=='garment' and v: v=' '.join(SP.get(w,w) for w in v.replace('-',' ').split())
    return (c.kind,s,r,o,v,c.negated)
half=sys.argv[1] if len(sys.argv)>1 else 'dev'
verbose=[v for v in sys.argv[2:] if v!="voc"]
caps=[c for f in sorted(L.FOLDER.glob(f'{half}-*.txt')) for c in read_file(f)] if 'read_file' in globals() else [c for c in L.captions() if L.half(c.id)==half]
words=Words.of(None if "voc" not in sys.argv else load_vocabulary(Path('data/vocabulary')), wordnet().concrete, wordnet().living)
tot=Counter()
miss=Counter();extra=Counter()
for cap,found in zip(caps,read_many([c.text for c in caps],words)):
    want=Counter((group(c),key(c)) for c in cap.claims); got=Counter((group(c),key(c)) for c in found)
    hit=want&got
    for (g,k),n in hit.items(): tot[g,'tp']+=n
    for (g,k),n in (want-got).items(): tot[g,'fn']+=n; miss[g,k]+=n
    for (g,k),n in (got-want).items(): tot[g,'fp']+=n; extra[g,k]+=n
    if verbose and any(v in cap.id for v in verbose) or verbose==['all']:
        d=[k for k in (want-got)];e=[k for k in (got-want)]
        if d or e:
            print(cap.id,cap.text); 
            for g,k in d: print('   MISS',k)
            for g,k in e: print('   EXTRA',k)
print(len(caps))
for g in ('objects','attributes','people','relations','scene'):
    tp,fp,fn=(tot[g,x] for x in('tp','fp','fn'))
    p=tp/max(tp+fp,1);r=tp/max(tp+fn,1)
    print(f'{g:11s} n={tp+fn:4d} P={p:.3f} R={r:.3f} F1={2*p*r/max(p+r,1e-9):.3f}')
