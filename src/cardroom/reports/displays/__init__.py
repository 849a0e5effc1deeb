"""TableVision's displays as pictures."""
