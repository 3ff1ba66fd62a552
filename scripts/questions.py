from lvlmbench.stages.scenes.build import build_shard
