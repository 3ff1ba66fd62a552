"""Numbers of the code that Dysca's authors published: facts, each with the file that has it.

Repository Robin-WZQ/Dysca, commit ac202cb. Nothing of ours is in here; the tests that import this
hold profiles/dysca.yaml, and what it does to images, against it.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Pixels of a side, which all lengths here are meant for: SDXL's own, as no other is asked for.
SIDE = 1024

# -- image_generate/corruption.py ------------------------------------------------------------------

#: Variances of additive and of multiplicative Gaussian noise.
GAUSSIAN_VARIANCE = 0.1
SPECKLE_VARIANCE = 0.1
#: Values that an 8-bit image can have; Poisson noise counts in them.
POISSON_LEVELS = 256
SALT_AND_PEPPER_SHARE = 0.1
#: Length of the path, and side of the Gaussian kernel.
MOTION_PX = 20
GAUSSIAN_KERNEL_PX = 19
JPEG_QUALITY = 50
#: Drops for each pixel of the image, and their radii, all alike.
SPATTER_DENSITY = 0.001
SPATTER_RADII_PX = (1, 2, 3, 4)
#: Holes for each pixel of the image, and their side.
DROPOUT_DENSITY = 0.003
DROPOUT_PX = 5
#: Least and most; whole degrees, and hundredths.
ROTATION_DEGREES = (10, 45)
SHEAR_FACTORS = (0.10, 0.20)
KINDS = 11

# -- image_generate/print_attack.py ----------------------------------------------------------------

PRINT_SIZES_PX = (112, 128, 144, 160)
#: Of 255; Pillow takes what is above for 255.
PRINT_ALPHAS = (102, 153, 204, 256)
PRINT_ANGLES = (0, -15, 15, -25, 25, -35, 35)
PRINT_OFFSETS_PX = (-256, -128, 0, 128, 256)
PRINT_COLORS: Mapping[str, tuple[int, int, int]] = {
    "blue": (0, 0, 255),
    "orange": (255, 165, 0),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
    "cyan": (0, 255, 255),
    "red": (255, 0, 0),
    "purple": (128, 0, 128),
    "white": (255, 255, 255),
    "black": (0, 0, 0),
}

# -- image_generate/generate_data.py ---------------------------------------------------------------

SDXL = "stabilityai/stable-diffusion-xl-base-1.0"
STEPS = 50
GUIDANCE = 7.5
DTYPE = "float16"

# -- image_generate/clean_data.py ------------------------------------------------------------------

#: A hundred times the cosine of image and prompt; an image is kept that is above.
CLIP_LOGIT = 25

# -- evaluate_LVLMs/Dysca_compute.py ---------------------------------------------------------------

SENTENCE_ENCODER = "all-MiniLM-L6-v2"
#: What it reads as which of (A) True and (B) False: the last letter in brackets, the last capital
#: anywhere, the nearest "(A) text", of equals the last.
CHOICES: Mapping[str, int] = {
    "(A) or (b)": 1,
    "A. Maybe B": 1,
    "it is (a), not B": 0,
    "yes": 1,
    "": 0,
}
