"""What a drawn picture shows, as features (docs/claims.md): all of it, and how sure it is."""

from lvlmbench.scene.truth.drawn import truth_of as truth_of
from lvlmbench.scene.truth.names import names_of as names_of
