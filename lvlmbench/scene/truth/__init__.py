"""What a drawn picture shows, as features (docs/claims.md): all of it, and how sure it is."""

from lvlmbench.scene.truth.drawn import measured_of as measured_of
from lvlmbench.scene.truth.drawn import truth_of as truth_of
from lvlmbench.scene.truth.rows import feature_of as feature_of
from lvlmbench.scene.truth.rows import from_rows as from_rows
from lvlmbench.scene.truth.rows import row_of as row_of
from lvlmbench.scene.truth.table import table_of as table_of
